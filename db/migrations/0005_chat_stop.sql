ALTER TABLE "chats" ADD COLUMN "stopped_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "outbox_held_idx" ON "outbox" USING btree ("recipient") WHERE "outbox"."state" = 'held';