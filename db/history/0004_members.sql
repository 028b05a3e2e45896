ALTER TABLE "pending_sign_ups" ADD COLUMN "selling" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_sign_ups" ADD COLUMN "next" text;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD COLUMN "next" text;--> statement-breakpoint
CREATE UNIQUE INDEX "account_provider_idx" ON "account" USING btree ("provider_id","account_id");