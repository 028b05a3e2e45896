ALTER TABLE "listings" ADD COLUMN "end_told" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "again_asked" timestamp with time zone;