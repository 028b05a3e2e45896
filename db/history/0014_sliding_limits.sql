ALTER TABLE "rate_limit" ADD COLUMN "hits" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_limit" DROP COLUMN "count";