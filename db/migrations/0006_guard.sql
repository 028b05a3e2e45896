ALTER TABLE "chats" ADD COLUMN "contacted_at" timestamp with time zone;--> statement-breakpoint
UPDATE "chats" SET "contacted_at" = "known"."first" FROM (
  SELECT "visitor", min("requested_at") AS "first" FROM "contact_requests" GROUP BY "visitor"
) AS "known"
WHERE "known"."visitor" = "chats"."transport" || ':' || "chats"."key_hash"
  OR "known"."visitor" = 'account:' || "chats"."user_id";
