CREATE TABLE "pending_sign_ups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"whatsapp" text,
	"location" text,
	"language" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_up_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"sign_up_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_up_links" ADD CONSTRAINT "sign_up_links_sign_up_id_pending_sign_ups_id_fk" FOREIGN KEY ("sign_up_id") REFERENCES "public"."pending_sign_ups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_sign_ups_email_idx" ON "pending_sign_ups" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_user_idx" ON "sign_in_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_up_links_email_idx" ON "sign_up_links" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_up_links_sign_up_idx" ON "sign_up_links" USING btree ("sign_up_id");--> statement-breakpoint
-- Accounts that nobody has proven: their password and profile may be anybody's. They go, and with them what they hold; a link that is on its
-- way stays good for whoever reads the mailbox, to choose a password with.
INSERT INTO "sign_up_links" ("token_hash", "email", "sign_up_id", "created_at", "expires_at", "used_at")
SELECT l."token_hash", u."email", NULL, l."created_at", l."expires_at", l."used_at" FROM "verification_links" l JOIN "user" u ON u."id" = l."user_id";--> statement-breakpoint
DELETE FROM "sellers" s USING "user" u WHERE u."id" = s."user_id" AND NOT u."email_verified" AND u."role" = 'member'
  AND NOT EXISTS (SELECT 1 FROM "products" p WHERE p."seller_id" = s."id");--> statement-breakpoint
DELETE FROM "user" WHERE NOT "email_verified" AND "role" = 'member';--> statement-breakpoint
DROP TABLE "verification_links" CASCADE;
