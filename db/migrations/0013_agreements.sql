ALTER TABLE "pending_sign_ups" ADD COLUMN "agreed_to" text;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "agreed_to" text;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "agreed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_agreed_stamped" CHECK (("user"."agreed_to" is null) = ("user"."agreed_at" is null));