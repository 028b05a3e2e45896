CREATE TABLE "email_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"session_id" text NOT NULL,
	"link_hash" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"link_expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"take_back_hash" text,
	"held_until" timestamp with time zone,
	"taken_back_at" timestamp with time zone,
	CONSTRAINT "email_changes_whole" CHECK (("email_changes"."confirmed_at" is null) = ("email_changes"."take_back_hash" is null) and ("email_changes"."confirmed_at" is null) = ("email_changes"."held_until" is null) and ("email_changes"."taken_back_at" is null or "email_changes"."confirmed_at" is not null)),
	CONSTRAINT "email_changes_hashed" CHECK ("email_changes"."link_hash" ~ '^[0-9a-f]{64}$' and ("email_changes"."take_back_hash" is null or "email_changes"."take_back_hash" ~ '^[0-9a-f]{64}$'))
);
--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_pending_idx" ON "email_changes" USING btree ("user_id") WHERE "email_changes"."confirmed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_link_idx" ON "email_changes" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_take_back_idx" ON "email_changes" USING btree ("take_back_hash");--> statement-breakpoint
CREATE INDEX "email_changes_user_idx" ON "email_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_changes_old_idx" ON "email_changes" USING btree ("old_email") WHERE "email_changes"."confirmed_at" is not null;