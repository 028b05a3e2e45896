ALTER TABLE "chat_channels" ADD COLUMN "undelivered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_channels" ADD COLUMN "dead_template" text;--> statement-breakpoint
ALTER TABLE "chat_channels" ADD COLUMN "dead_template_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "stopped_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "outbox_held_idx" ON "outbox" USING btree ("recipient") WHERE "outbox"."state" = 'held';