ALTER TABLE "connect_posts" ADD COLUMN "left_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_left_closed" CHECK ("connect_posts"."left_at" is null or "connect_posts"."status" = 'closed');--> statement-breakpoint
-- By hand: closes the posts of accounts whose deletion was asked for before this version.
UPDATE "connect_posts" p SET "status" = 'closed', "left_at" = u."leaving_at" FROM "user" u WHERE u."id" = p."user_id" AND u."leaving_at" IS NOT NULL AND p."status" = 'active';
