CREATE TABLE "chat_undelivered" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"code" integer NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_undelivered_hashed" CHECK ("chat_undelivered"."id_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "chat_channels" ADD COLUMN "template_refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_channels" ADD COLUMN "template_refusal" text;--> statement-breakpoint
CREATE INDEX "chat_undelivered_at_idx" ON "chat_undelivered" USING btree ("at");