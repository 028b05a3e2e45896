ALTER TABLE "connect_posts" ADD COLUMN "region_code" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "region_code" text;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_region_code_known" CHECK ("connect_posts"."region_code" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_region_code_known" CHECK ("products"."region_code" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_region_known" CHECK ("sellers"."region" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
-- By hand, from here to the end: the regions of rows from before this version, where their words
-- give one for sure. The rule is that of api/shared/places/regionOf.ts at this version.
CREATE FUNCTION reg_folded(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim(regexp_replace(lower(translate(normalize(words, NFC),
    'ÀÂÄÉÈÊËÎÏÔÖÙÛÜÇàâäéèêëîïôöùûüç', 'AAAEEEEIIOOUUUCaaaeeeeiioouuuc')), '[^a-z0-9]+', ' ', 'g'))
$$;--> statement-breakpoint
CREATE TABLE reg_names AS SELECT code, unnest(string_to_array(names, ',')) AS name FROM (VALUES
  ('adamawa', 'adamawa,adamaoua'),
  ('centre', 'centre,center'),
  ('east', 'east,est'),
  ('far-north', 'far north,extreme nord,farnorth'),
  ('littoral', 'littoral'),
  ('north', 'north,nord'),
  ('north-west', 'north west,nord ouest,northwest,nordouest,nw'),
  ('south', 'south,sud'),
  ('south-west', 'south west,sud ouest,southwest,sudouest,sw'),
  ('west', 'west,ouest')
) AS known (code, names);--> statement-breakpoint
CREATE TABLE reg_towns AS SELECT code, unnest(string_to_array(names, ',')) AS name FROM (VALUES
  ('adamawa', 'ngaoundere,banyo,djohong,meiganga,ngaoundal,tibati,tignere'),
  ('centre', 'yaounde,akonolinga,bafia,eseka,makak,mbalmayo,mbandjock,mbankomo,mfou,monatele,nanga eboko,ngoumou,nkoteng,ntui,obala,okola,sa a,soa,yoko'),
  ('east', 'bertoua,abong mbang,batouri,belabo,betare oya,doume,garoua boulai,lomie,moloundou,yokadouma'),
  ('far-north', 'maroua,blangoua,bogo,guidiguis,kaele,kousseri,maga,mokolo,mora,yagoua'),
  ('littoral', 'douala,dibombari,dizangue,edea,loum,manjo,mbanga,melong,njombe,nkondjock,nkongsamba,penja,yabassi'),
  ('north', 'garoua,figuil,guider,lagdo,pitoa,poli,rey bouba,tchollire,touboro'),
  ('north-west', 'bamenda,bafut,batibo,belo,fundong,jakiri,kumbo,mbengwi,ndop,ndu,nkambe,santa,wum'),
  ('south', 'ebolowa,ambam,campo,djoum,kribi,kye ossi,lolodorf,meyomessala,sangmelima,zoetele'),
  ('south-west', 'buea,bangem,ekondo titi,fontem,idenau,kumba,limbe,mamfe,menji,mundemba,muyuka,mutengene,tiko,tombel'),
  ('west', 'bafoussam,bafang,baham,bandjoun,bangangte,bansoa,dschang,foumban,foumbot,galim,koutaba,magba,mbouda,tonga')
) AS known (code, names);--> statement-breakpoint
CREATE FUNCTION reg_region(words text) RETURNS text LANGUAGE sql STABLE AS $$
  WITH parts AS (
    SELECT reg_folded(part) AS part FROM regexp_split_to_table(left(words, 1000), '[,;/()]') AS part
  ), found AS (
    SELECT n.code AS named, NULL AS town FROM parts JOIN reg_names n ON n.name =
      trim(regexp_replace(' ' || part || ' ', ' (region|province|of|the|de|du|la|le|l)(?= )', '', 'g'))
    UNION ALL
    SELECT NULL, t.code FROM parts JOIN reg_towns t ON t.name = part
    UNION ALL
    SELECT n.code, t.code FROM parts, reg_towns t, reg_names n WHERE part = t.name || ' ' || n.name
  ), sets AS (
    SELECT array_agg(DISTINCT named) FILTER (WHERE named IS NOT NULL) AS named,
      array_agg(DISTINCT town) FILTER (WHERE town IS NOT NULL) AS towns FROM found
  )
  SELECT CASE
    WHEN cardinality(coalesce(named, towns)) = 1
      AND (towns IS NULL OR (coalesce(named, towns))[1] = ANY (towns))
    THEN (coalesce(named, towns))[1] END FROM sets
$$;--> statement-breakpoint
UPDATE "sellers" SET "region" = reg_region("location") WHERE "location" IS NOT NULL;--> statement-breakpoint
UPDATE "products" SET "region_code" = reg_region(coalesce("seller_location", concat_ws(', ', "city", "region")))
  WHERE coalesce("seller_location", "city", "region") IS NOT NULL;--> statement-breakpoint
UPDATE "connect_posts" SET "region_code" = reg_region(concat_ws(', ', "location", "city", "region"))
  WHERE coalesce("location", "city", "region") IS NOT NULL;--> statement-breakpoint
DROP FUNCTION reg_region(text);--> statement-breakpoint
DROP FUNCTION reg_folded(text);--> statement-breakpoint
DROP TABLE reg_names;--> statement-breakpoint
DROP TABLE reg_towns;--> statement-breakpoint

CREATE TABLE "findable" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid,
	"whatsapp" text,
	"category" text,
	"price" integer,
	"region" text,
	"region_key" text,
	"slot_id" smallint,
	"premium" boolean NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"sold" boolean NOT NULL,
	"name_words" text NOT NULL,
	"other_words" text NOT NULL,
	"text_words" text NOT NULL,
	"changed" bigint NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('english', name_words) || to_tsvector('french', name_words) || to_tsvector('simple', name_words), 'A') || setweight(to_tsvector('english', other_words) || to_tsvector('french', other_words) || to_tsvector('simple', other_words), 'B') || setweight(to_tsvector('english', text_words) || to_tsvector('french', text_words) || to_tsvector('simple', text_words), 'D')) STORED NOT NULL,
	CONSTRAINT "findable_sold_is_ended" CHECK (not "findable"."sold" or "findable"."ended_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "findable" ADD CONSTRAINT "findable_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "findable_search_idx" ON "findable" USING gin ("search");--> statement-breakpoint
CREATE INDEX "findable_ended_idx" ON "findable" USING btree ("ended_at") WHERE "findable"."ended_at" is not null;--> statement-breakpoint

-- Hand-written part: the definition of what may be found, and the triggers that keep it
-- (docs/decisions/070-search.md).

-- Words that no text search parser takes for words give no query, where they gave the invalid "()".
CREATE OR REPLACE FUNCTION search_query(words text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH forms AS (
    SELECT n, plainto_tsquery('english', word) AS english, plainto_tsquery('french', word) AS french, to_tsquery('simple', quote_literal(word) || ':*') AS beginning
    FROM unnest(words) WITH ORDINALITY AS given(word, n)
  ), judged AS (
    SELECT n, english || french || beginning AS word, numnode(english) = 0 OR numnode(french) = 0 AS little FROM forms
    WHERE numnode(beginning) > 0
  ), wanted AS (
    SELECT n, word FROM judged WHERE NOT little OR NOT EXISTS (SELECT FROM judged WHERE NOT little)
  )
  SELECT string_agg('(' || word::text || ')', ' & ' ORDER BY n)::tsquery FROM wanted
$$;
--> statement-breakpoint

-- Words without accents, in lower case, one space between. `normalized` in api/shared/search.ts does
-- the same to what is searched for; a test compares them. Code points, because the meaning of
-- [:alnum:] depends on the database's locale.
CREATE FUNCTION search_words(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(replace(replace(translate(lower(regexp_replace(normalize(coalesce(given, ''), NFKD),
    U&'[\0300-\036F\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE20-\FE2F]+', '', 'g')),
    U&'\0152\00C6\0181\018A\014A\01B3\0190\0186\018F', U&'\0153\00E6\0253\0257\014B\01B4\025B\0254\0259'),
    U&'\0153', 'oe'), U&'\00E6', 'ae'),
    U&'[\0001-\002F\003A-\0060\007B-\00BF\00D7\00F7\02C0-\02FF\2000-\206F\20A0-\20CF\2190-\2BFF\3000-\3004\3008-\3020\FE0F\FF00-\FF0F\+01F000-\+01FAFF]+', ' ', 'g'))
$$;
--> statement-breakpoint
CREATE FUNCTION search_key(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(left(replace(search_words(given), ' ', '-'), 60), '')
$$;
--> statement-breakpoint
-- Every language's words of a text such as {"en": "…", "fr": "…"} or "…".
CREATE FUNCTION search_words_of(given jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_words(CASE jsonb_typeof(given)
    WHEN 'object' THEN (SELECT string_agg(value, ' ' ORDER BY key) FROM jsonb_each_text(given))
    ELSE given #>> '{}' END)
$$;
--> statement-breakpoint
-- The names of a category in every language; a test compares them with locales.
CREATE FUNCTION category_words(category text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE category
    WHEN 'electronics' THEN 'electronics electronique'
    WHEN 'fashion' THEN 'fashion accessories mode et accessoires'
    WHEN 'home_garden' THEN 'home garden maison et jardin'
    WHEN 'sports' THEN 'sports outdoors sports et plein air'
    WHEN 'books' THEN 'books media livres et medias'
    WHEN 'health_beauty' THEN 'health beauty sante et beaute'
    WHEN 'automotive' THEN 'automotive auto et moto'
    WHEN 'toys' THEN 'toys games jouets et jeux'
    WHEN 'food' THEN 'food beverages alimentation et boissons'
    ELSE '' END
$$;
--> statement-breakpoint
-- The names of a region in every language; a test compares them with locales.
CREATE FUNCTION region_words(region text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE region
    WHEN 'adamawa' THEN 'adamawa adamaoua'
    WHEN 'centre' THEN 'centre centre'
    WHEN 'east' THEN 'east est'
    WHEN 'far-north' THEN 'far north extreme nord'
    WHEN 'littoral' THEN 'littoral littoral'
    WHEN 'north' THEN 'north nord'
    WHEN 'north-west' THEN 'north west nord ouest'
    WHEN 'south' THEN 'south sud'
    WHEN 'south-west' THEN 'south west sud ouest'
    WHEN 'west' THEN 'west ouest'
    ELSE '' END
$$;
--> statement-breakpoint
-- What visitors may find: products that have been in a slot and are listed, or whose listing ended
-- because its time was up or it was sold. Paused slots, suspended and leaving sellers and what ended
-- more than 30 days ago are left out by each search.
CREATE VIEW findable_source AS
SELECT p.id AS product_id, p.seller_id, p.seller_whatsapp AS whatsapp, p.category, nullif(p.price, 0) AS price,
  nullif(btrim(p.region), '') AS region, coalesce(p.region_code, search_key(p.region)) AS region_key, last.slot_id,
  coalesce(last.slot_id <= 10, p.listing_type = 'featured') AS premium,
  shown.started_at, last.ended_at, last.ended_at IS NOT NULL AND p.sold_at IS NOT NULL AS sold,
  search_words_of(p.name) AS name_words,
  search_words(concat_ws(' ', category_words(p.category), p.business_name, p.city, p.region, region_words(p.region_code))) AS other_words,
  search_words_of(p.description) AS text_words
FROM products p
JOIN LATERAL (SELECT slot_id, ended_at, end_reason FROM listings l WHERE l.product_id = p.id ORDER BY number DESC LIMIT 1) last ON true
JOIN LATERAL (SELECT max(started_at) AS started_at FROM listings l WHERE l.product_id = p.id) shown ON shown.started_at IS NOT NULL
WHERE p.status IN ('approved', 'active') AND p.removed_at IS NULL AND p.withdrawn_at IS NULL
  AND (last.ended_at IS NULL OR last.end_reason IN ('time', 'sold'));
--> statement-breakpoint
CREATE SEQUENCE findable_changed OWNED BY findable.changed;
--> statement-breakpoint
-- Writes a product's row as the view has it now. The lock makes two transactions that change one
-- product write one after the other; each statement sees what was committed before it.
CREATE FUNCTION refresh_findable(product uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM products WHERE id = product FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM findable f WHERE f.product_id = product
    AND NOT EXISTS (SELECT FROM findable_source s WHERE s.product_id = product);
  INSERT INTO findable AS f (product_id, seller_id, whatsapp, category, price, region, region_key, slot_id, premium, started_at, ended_at, sold,
    name_words, other_words, text_words, changed)
  SELECT s.*, nextval('findable_changed') FROM findable_source s WHERE s.product_id = product
  ON CONFLICT (product_id) DO UPDATE SET seller_id = excluded.seller_id, whatsapp = excluded.whatsapp, category = excluded.category,
    price = excluded.price, region = excluded.region, region_key = excluded.region_key, slot_id = excluded.slot_id, premium = excluded.premium,
    started_at = excluded.started_at, ended_at = excluded.ended_at, sold = excluded.sold, name_words = excluded.name_words,
    other_words = excluded.other_words, text_words = excluded.text_words, changed = excluded.changed
  WHERE (f.seller_id, f.whatsapp, f.category, f.price, f.region, f.region_key, f.slot_id, f.premium, f.started_at, f.ended_at, f.sold,
      f.name_words, f.other_words, f.text_words)
    IS DISTINCT FROM (excluded.seller_id, excluded.whatsapp, excluded.category, excluded.price, excluded.region, excluded.region_key,
      excluded.slot_id, excluded.premium, excluded.started_at, excluded.ended_at, excluded.sold, excluded.name_words, excluded.other_words,
      excluded.text_words);
END $$;
--> statement-breakpoint
CREATE FUNCTION product_findable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_findable(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION listing_findable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM refresh_findable(OLD.product_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM refresh_findable(NEW.product_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_findable AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.seller_id, OLD.name, OLD.description, OLD.price, OLD.city, OLD.region, OLD.region_code, OLD.business_name, OLD.seller_whatsapp, OLD.category,
      OLD.status, OLD.listing_type, OLD.sold_at, OLD.withdrawn_at, OLD.removed_at)
    IS DISTINCT FROM (NEW.seller_id, NEW.name, NEW.description, NEW.price, NEW.city, NEW.region, NEW.region_code, NEW.business_name, NEW.seller_whatsapp,
      NEW.category, NEW.status, NEW.listing_type, NEW.sold_at, NEW.withdrawn_at, NEW.removed_at))
  EXECUTE FUNCTION product_findable();
--> statement-breakpoint
CREATE TRIGGER listings_findable AFTER INSERT OR DELETE OR UPDATE OF product_id, number, slot_id, started_at, ended_at, end_reason ON listings
  FOR EACH ROW EXECUTE FUNCTION listing_findable();
--> statement-breakpoint
INSERT INTO findable (product_id, seller_id, whatsapp, category, price, region, region_key, slot_id, premium, started_at, ended_at, sold,
  name_words, other_words, text_words, changed)
SELECT s.*, nextval('findable_changed') FROM findable_source s
WHERE s.ended_at IS NULL OR s.ended_at > now() - interval '30 days';
