-- A row for each time that a product is listed (docs/decisions/031-listings.md). What hangs on the columns that go is taken away first.
DROP TRIGGER product_place ON products;--> statement-breakpoint
DROP TRIGGER products_announce ON products;--> statement-breakpoint
DROP INDEX products_incomplete_idx;--> statement-breakpoint
CREATE TABLE "listings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"slot_id" smallint,
	"started_at" timestamp with time zone,
	"duration_seconds" integer,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ended_by" text,
	"fee" integer,
	"fee_state" text,
	"fee_reference" text,
	"fee_marked_at" timestamp with time zone,
	"fee_marked_by" text,
	CONSTRAINT "listings_fee_reference_unique" UNIQUE("fee_reference"),
	CONSTRAINT "listings_numbered" CHECK ("listings"."number" > 0),
	CONSTRAINT "listings_started_whole" CHECK (("listings"."started_at" is null) = ("listings"."duration_seconds" is null) and ("listings"."slot_id" is null or "listings"."started_at" is not null)),
	CONSTRAINT "listings_duration_positive" CHECK ("listings"."duration_seconds" > 0),
	CONSTRAINT "listings_end_reason_known" CHECK ("listings"."end_reason" in ('time', 'stopped', 'withdrawn', 'sold', 'removed', 'reported', 'sellerDeleted')),
	CONSTRAINT "listings_ended_whole" CHECK (("listings"."ended_at" is null) = ("listings"."end_reason" is null) and ("listings"."ended_at" is not null or "listings"."ended_by" is null)),
	CONSTRAINT "listings_fee_state_known" CHECK ("listings"."fee_state" in ('due', 'paid', 'waived', 'refunded')),
	CONSTRAINT "listings_fee_whole" CHECK (("listings"."fee_state" is null) = ("listings"."fee" is null) and "listings"."fee" >= 0 and ("listings"."fee" is not null or "listings"."fee_reference" is null)),
	CONSTRAINT "listings_fee_marked" CHECK ((coalesce("listings"."fee_state", 'due') = 'due') = ("listings"."fee_marked_at" is null) and ("listings"."fee_marked_at" is not null or "listings"."fee_marked_by" is null))
);
--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_fee_reference_unique";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_ended_was_approved";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_gone_is_ended";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_fee_whole";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_fee_marked_by_user_id_fk";
--> statement-breakpoint
DROP INDEX "products_ended_idx";--> statement-breakpoint
DROP INDEX "products_started_idx";--> statement-breakpoint
DROP INDEX "products_fee_idx";--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_ended_by_user_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_fee_marked_by_user_id_fk" FOREIGN KEY ("fee_marked_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "listings_number_idx" ON "listings" USING btree ("product_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "listings_open_idx" ON "listings" USING btree ("product_id") WHERE "listings"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "listings_slot_idx" ON "listings" USING btree ("slot_id") WHERE "listings"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "listings_started_idx" ON "listings" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "listings_ended_idx" ON "listings" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "listings_fee_idx" ON "listings" USING btree ("fee_state","opened_at" DESC NULLS FIRST,"id");--> statement-breakpoint
-- What the columns said becomes the first row of each product.
INSERT INTO listings (product_id, number, opened_at, slot_id, started_at, duration_seconds, ended_at, end_reason, fee, fee_state, fee_reference, fee_marked_at, fee_marked_by)
SELECT p.id, 1, least(p.created_at, start, p.listing_ended_at), s.id, start,
  CASE WHEN start IS NULL THEN NULL
    WHEN s.paused_at IS NULL AND s.id IS NOT NULL THEN greatest(1, extract(epoch FROM s.end_time - s.start_time))::integer
    ELSE coalesce(p.duration_seconds, 21600) END,
  CASE WHEN p.listing_ended_at IS NOT NULL THEN greatest(p.listing_ended_at, start) END,
  CASE WHEN p.listing_ended_at IS NULL THEN NULL WHEN p.sold_at = p.listing_ended_at THEN 'sold' WHEN p.withdrawn_at = p.listing_ended_at THEN 'withdrawn'
    WHEN p.removed_at = p.listing_ended_at THEN 'removed' ELSE 'time' END,
  p.listing_fee, p.fee_state, p.fee_reference,
  CASE WHEN p.fee_state IN ('paid', 'waived') THEN coalesce(p.fee_marked_at, p.updated_at) END,
  CASE WHEN p.fee_state IN ('paid', 'waived') THEN p.fee_marked_by END
FROM products AS p LEFT JOIN slots AS s ON s.product_id = p.id
CROSS JOIN LATERAL (SELECT CASE WHEN p.listing_ended_at IS NULL THEN coalesce(s.start_time, p.listing_started_at) ELSE least(p.listing_started_at, p.listing_ended_at) END AS start) AS began;
--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "listing_fee";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "fee_state";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "fee_reference";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "fee_marked_at";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "fee_marked_by";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "listing_started_at";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "listing_ended_at";--> statement-breakpoint

-- An approved product with an open listing is in exactly one of queue and slot, in the slot that the listing names, and neither sold,
-- withdrawn nor removed; one without is in neither. Any other product is in neither, and its last listing has not ended. Checked at commit.
-- The row lock makes two transactions that place one product look at it one after the other; under READ COMMITTED each statement below sees
-- what the first of them committed.
CREATE OR REPLACE FUNCTION check_product_place(product uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  l record;
  held smallint;
  queued integer;
  places integer;
BEGIN
  SELECT status, sold_at IS NOT NULL OR withdrawn_at IS NOT NULL OR removed_at IS NOT NULL AS gone INTO p FROM products WHERE id = product FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT count(*) AS listed, count(*) FILTER (WHERE ended_at IS NULL) AS open, max(slot_id) FILTER (WHERE ended_at IS NULL) AS slot
    INTO l FROM listings WHERE product_id = product;
  SELECT id INTO held FROM slots WHERE product_id = product;
  SELECT count(*) INTO queued FROM queue_items WHERE product_id = product;
  places := (held IS NOT NULL)::integer + queued;
  IF p.status IN ('approved', 'active') THEN
    IF l.listed = 0 OR places <> l.open THEN
      RAISE EXCEPTION 'approved product % has % listings, % of them open, and is in % of queue and slot', product, l.listed, l.open, places
        USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
    END IF;
    IF l.open > 0 AND p.gone THEN
      RAISE EXCEPTION 'product % is gone but its listing goes on', product USING ERRCODE = 'check_violation', CONSTRAINT = 'product_gone_is_ended';
    END IF;
  ELSIF places <> 0 THEN
    RAISE EXCEPTION 'product % is % but in a queue or slot', product, p.status USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
  ELSIF l.listed > 0 AND l.open = 0 THEN
    RAISE EXCEPTION 'product % is % but its listing has ended', product, p.status USING ERRCODE = 'check_violation', CONSTRAINT = 'product_ended_was_approved';
  END IF;
  IF l.slot IS DISTINCT FROM held THEN
    RAISE EXCEPTION 'product % is in slot % and its listing in %', product, held, l.slot USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION product_place_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_product_place(OLD.product_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.product_id <> OLD.product_id) THEN PERFORM check_product_place(NEW.product_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR UPDATE OF status, sold_at, withdrawn_at, removed_at ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_product();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR DELETE OR UPDATE OF product_id, slot_id, ended_at ON listings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_listing();
--> statement-breakpoint

-- News, as before: an end is on the product's page, and so is a listing that opens again or anew.
CREATE TRIGGER products_announce AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.status IN ('approved', 'active')
    AND (OLD.name, OLD.description, OLD.images, OLD.price, OLD.city, OLD.region, OLD.business_name, OLD.category, OLD.slug, OLD.status, OLD.sold_at, OLD.removed_at)
    IS DISTINCT FROM (NEW.name, NEW.description, NEW.images, NEW.price, NEW.city, NEW.region, NEW.business_name, NEW.category, NEW.slug, NEW.status,
      NEW.sold_at, NEW.removed_at))
  EXECUTE FUNCTION announce('product');
--> statement-breakpoint
CREATE FUNCTION announce_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'product:' || NEW.product_id::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER listings_reopen AFTER INSERT ON listings FOR EACH ROW WHEN (NEW.number > 1) EXECUTE FUNCTION announce_listing();
--> statement-breakpoint
CREATE TRIGGER listings_announce AFTER UPDATE OF ended_at ON listings FOR EACH ROW
  WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at) EXECUTE FUNCTION announce_listing();
--> statement-breakpoint

-- What get_incomplete_products looks through: its condition on products, word for word (api/products/integrity/integrity.ts).
CREATE INDEX products_incomplete_idx ON products (created_at DESC, id) WHERE ("removed_at" is null and "withdrawn_at" is null and "images_deleted_at" is null
  AND (char_length(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 3::int
  OR char_length(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 10::int
  OR jsonb_array_length("images") = 0
  OR coalesce("price", 0) < 100
  OR "duration_seconds" is null
  OR "category" is null
  OR btrim(coalesce("seller_name", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = ''
  OR coalesce("seller_whatsapp", '') = ''
  OR (btrim(coalesce("seller_location", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '' and btrim(coalesce("city", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '')
  OR "payment_method" is null));
