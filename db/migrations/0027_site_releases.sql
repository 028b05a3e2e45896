CREATE TABLE "site_releases" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"files" jsonb NOT NULL
);
