CREATE TABLE "product_drafts" (
	"user_id" text PRIMARY KEY NOT NULL,
	"key" uuid NOT NULL,
	"answers" jsonb NOT NULL,
	"photos" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "product_drafts_photos" CHECK (jsonb_typeof("product_drafts"."photos") = 'array' and jsonb_array_length("product_drafts"."photos") <= 5)
);
--> statement-breakpoint
ALTER TABLE "sellers" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "product_drafts" ADD CONSTRAINT "product_drafts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_drafts_updated_idx" ON "product_drafts" USING btree ("updated_at");