ALTER TABLE "findable" ADD COLUMN "condition" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "condition" text;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_condition_known" CHECK ("products"."condition" in ('new', 'as_new', 'used', 'for_parts'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_condition_applies" CHECK ("products"."condition" is null or "products"."category" not in ('food'));--> statement-breakpoint
-- By hand, from here to the end: the condition reaches the search index (decisions 070, 073). A view
-- takes new columns at its end only, so the function inserts `condition` behind the words.
CREATE OR REPLACE VIEW findable_source AS
SELECT p.id AS product_id, p.seller_id, p.seller_whatsapp AS whatsapp, p.category, nullif(p.price, 0) AS price,
  nullif(btrim(p.region), '') AS region, coalesce(p.region_code, search_key(p.region)) AS region_key, last.slot_id,
  coalesce(last.slot_id <= 10, p.listing_type = 'featured') AS premium,
  shown.started_at, last.ended_at, last.ended_at IS NOT NULL AND p.sold_at IS NOT NULL AS sold,
  search_words_of(p.name) AS name_words,
  search_words(concat_ws(' ', category_words(p.category), p.business_name, p.city, p.region, region_words(p.region_code))) AS other_words,
  search_words_of(p.description) AS text_words,
  p.condition
FROM products p
JOIN LATERAL (SELECT slot_id, ended_at, end_reason FROM listings l WHERE l.product_id = p.id ORDER BY number DESC LIMIT 1) last ON true
JOIN LATERAL (SELECT max(started_at) AS started_at FROM listings l WHERE l.product_id = p.id) shown ON shown.started_at IS NOT NULL
WHERE p.status IN ('approved', 'active') AND p.removed_at IS NULL AND p.withdrawn_at IS NULL
  AND (last.ended_at IS NULL OR last.end_reason IN ('time', 'sold'));
--> statement-breakpoint
CREATE OR REPLACE FUNCTION refresh_findable(product uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM products WHERE id = product FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM findable f WHERE f.product_id = product
    AND NOT EXISTS (SELECT FROM findable_source s WHERE s.product_id = product);
  INSERT INTO findable AS f (product_id, seller_id, whatsapp, category, price, region, region_key, slot_id, premium, started_at, ended_at, sold,
    name_words, other_words, text_words, condition, changed)
  SELECT s.*, nextval('findable_changed') FROM findable_source s WHERE s.product_id = product
  ON CONFLICT (product_id) DO UPDATE SET seller_id = excluded.seller_id, whatsapp = excluded.whatsapp, category = excluded.category,
    price = excluded.price, region = excluded.region, region_key = excluded.region_key, slot_id = excluded.slot_id, premium = excluded.premium,
    started_at = excluded.started_at, ended_at = excluded.ended_at, sold = excluded.sold, name_words = excluded.name_words,
    other_words = excluded.other_words, text_words = excluded.text_words, condition = excluded.condition, changed = excluded.changed
  WHERE (f.seller_id, f.whatsapp, f.category, f.price, f.region, f.region_key, f.slot_id, f.premium, f.started_at, f.ended_at, f.sold,
      f.name_words, f.other_words, f.text_words, f.condition)
    IS DISTINCT FROM (excluded.seller_id, excluded.whatsapp, excluded.category, excluded.price, excluded.region, excluded.region_key,
      excluded.slot_id, excluded.premium, excluded.started_at, excluded.ended_at, excluded.sold, excluded.name_words, excluded.other_words,
      excluded.text_words, excluded.condition);
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_findable AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.seller_id, OLD.name, OLD.description, OLD.price, OLD.city, OLD.region, OLD.region_code, OLD.business_name, OLD.seller_whatsapp, OLD.category,
      OLD.status, OLD.listing_type, OLD.sold_at, OLD.withdrawn_at, OLD.removed_at, OLD.condition)
    IS DISTINCT FROM (NEW.seller_id, NEW.name, NEW.description, NEW.price, NEW.city, NEW.region, NEW.region_code, NEW.business_name, NEW.seller_whatsapp,
      NEW.category, NEW.status, NEW.listing_type, NEW.sold_at, NEW.withdrawn_at, NEW.removed_at, NEW.condition))
  EXECUTE FUNCTION product_findable();
