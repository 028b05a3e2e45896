CREATE TABLE "contact_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address_hash" text NOT NULL,
	"product_id" uuid NOT NULL,
	"question" jsonb NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "contact_challenges_answered_once" CHECK (("contact_challenges"."answered_at" is null) = ("contact_challenges"."outcome" is null))
);
--> statement-breakpoint
ALTER TABLE "sellers" DROP CONSTRAINT "sellers_verified_whole";--> statement-breakpoint
ALTER TABLE "contact_requests" ADD COLUMN "newcomer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "verified_whatsapp" text;--> statement-breakpoint
-- A changed number lost the badge until now: whoever is verified is so for the present number. Of two with the same one, the first keeps it.
UPDATE "sellers" SET "verified_whatsapp" = "whatsapp" WHERE "verified" AND "whatsapp" IS NOT NULL AND "id" IN
	(SELECT DISTINCT ON ("whatsapp") "id" FROM "sellers" WHERE "verified" ORDER BY "whatsapp", "verified_at", "id");--> statement-breakpoint
UPDATE "sellers" SET "verified" = false, "verified_by" = null, "verified_at" = null WHERE "verified" AND "verified_whatsapp" IS NULL;--> statement-breakpoint
ALTER TABLE "contact_challenges" ADD CONSTRAINT "contact_challenges_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_challenges_address_idx" ON "contact_challenges" USING btree ("address_hash","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_challenges_product_idx" ON "contact_challenges" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_verified_whatsapp_idx" ON "sellers" USING btree ("verified_whatsapp") WHERE "sellers"."verified_whatsapp" is not null;--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_verified_whatsapp_e164" CHECK ("sellers"."verified_whatsapp" is null or "sellers"."verified_whatsapp" ~ '^\+[1-9][0-9]{6,14}$');--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_verified_whole" CHECK ("sellers"."verified" = ("sellers"."verified_by" is not null) and "sellers"."verified" = ("sellers"."verified_at" is not null) and "sellers"."verified" = ("sellers"."verified_whatsapp" is not null));
--> statement-breakpoint
-- Pages show the badge by the number of the listing: a change of any number that it goes by is news. The news itself holds no number.
DROP TRIGGER sellers_announce ON sellers;
--> statement-breakpoint
CREATE TRIGGER sellers_announce AFTER UPDATE ON sellers FOR EACH ROW
  WHEN ((OLD.verified, OLD.verified_by, OLD.verified_whatsapp, OLD.whatsapp, OLD.suspended, OLD.business_name)
    IS DISTINCT FROM (NEW.verified, NEW.verified_by, NEW.verified_whatsapp, NEW.whatsapp, NEW.suspended, NEW.business_name))
  EXECUTE FUNCTION announce('seller');
--> statement-breakpoint
CREATE TRIGGER products_renumbered AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.status IN ('approved', 'active') AND OLD.seller_whatsapp IS DISTINCT FROM NEW.seller_whatsapp)
  EXECUTE FUNCTION announce('product');
