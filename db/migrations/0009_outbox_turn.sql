DROP INDEX "outbox_waiting_idx";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "turn" bigserial NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_waiting_idx" ON "outbox" USING btree ("next_attempt_at","turn") WHERE "outbox"."state" = 'waiting';