ALTER TABLE "outbox" ADD COLUMN "fault" text;--> statement-breakpoint
CREATE INDEX "outbox_failed_idx" ON "outbox" USING btree ("created_at") WHERE "outbox"."state" = 'failed';