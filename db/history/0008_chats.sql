CREATE TABLE "chat_link_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "chat_link_codes_hashed" CHECK ("chat_link_codes"."code_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "chat_updates" (
	"turn" bigserial PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"update_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"sealed" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"lease" uuid,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_updates_sealed_while_waiting" CHECK (("chat_updates"."state" = 'waiting') = ("chat_updates"."sealed" is not null))
);
--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "state" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "notices" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "wrote_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sealed" text;--> statement-breakpoint
ALTER TABLE "chat_link_codes" ADD CONSTRAINT "chat_link_codes_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_updates" ADD CONSTRAINT "chat_updates_key_hash_chats_key_hash_fk" FOREIGN KEY ("key_hash") REFERENCES "public"."chats"("key_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_link_codes_user_idx" ON "chat_link_codes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_updates_once_idx" ON "chat_updates" USING btree ("transport","update_id");--> statement-breakpoint
CREATE INDEX "chat_updates_waiting_idx" ON "chat_updates" USING btree ("next_attempt_at","turn") WHERE "chat_updates"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_updates_chat_idx" ON "chat_updates" USING btree ("key_hash","turn") WHERE "chat_updates"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_updates_received_idx" ON "chat_updates" USING btree ("received_at");--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_sealed_in_chats" CHECK ("outbox"."sealed" is null or "outbox"."channel" <> 'email');--> statement-breakpoint
-- Whoever works on messages is woken, in every process.
CREATE FUNCTION announce_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('chats', 'waiting');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER chat_updates_announce AFTER INSERT ON chat_updates FOR EACH STATEMENT EXECUTE FUNCTION announce_chat();
