ALTER TABLE "chats" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "closed_why" text;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "back_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "web_used_at" timestamp with time zone;--> statement-breakpoint
UPDATE "user" SET "web_used_at" = (SELECT max("session"."updated_at") FROM "session" WHERE "session"."user_id" = "user"."id");--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_closed_why" CHECK (("chats"."closed_at" is null) = ("chats"."closed_why" is null));--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_asked_closed" CHECK ("chats"."back_asked_at" is null or "chats"."closed_at" is not null);