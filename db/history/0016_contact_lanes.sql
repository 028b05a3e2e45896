-- By hand: questions live ten minutes, and the new columns have no value for old ones.
DELETE FROM "contact_challenges";
--> statement-breakpoint
DROP INDEX "contact_challenges_address_idx";--> statement-breakpoint
ALTER TABLE "contact_challenges" ADD COLUMN "visitor" text NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_challenges" ADD COLUMN "looked" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_requests" ADD COLUMN "looked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "contact_challenges_visitor_idx" ON "contact_challenges" USING btree ("visitor","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_challenges_address_idx" ON "contact_challenges" USING btree ("address_hash","looked","outcome","asked_at" DESC NULLS LAST);