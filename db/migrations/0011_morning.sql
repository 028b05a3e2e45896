ALTER TABLE "chats" ADD COLUMN "morning_on" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "morning_told_at" timestamp with time zone;