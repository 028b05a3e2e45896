CREATE TABLE "legal_texts" (
	"number" integer PRIMARY KEY NOT NULL,
	"terms" jsonb,
	"privacy" jsonb,
	"published_at" timestamp with time zone NOT NULL,
	"published_by" text
);
--> statement-breakpoint
ALTER TABLE "legal_texts" ADD CONSTRAINT "legal_texts_published_by_user_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;