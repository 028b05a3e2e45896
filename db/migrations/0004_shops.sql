CREATE TABLE "shop_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"seller_id" uuid,
	"taken_at" timestamp with time zone NOT NULL,
	"left_at" timestamp with time zone,
	CONSTRAINT "shop_slugs_form" CHECK ("shop_slugs"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length("shop_slugs"."slug") <= 60),
	CONSTRAINT "shop_slugs_present_owned" CHECK ("shop_slugs"."seller_id" is not null or "shop_slugs"."left_at" is not null),
	CONSTRAINT "shop_slugs_left_after_taken" CHECK ("shop_slugs"."left_at" is null or "shop_slugs"."left_at" >= "shop_slugs"."taken_at")
);
--> statement-breakpoint
ALTER TABLE "reports" ALTER COLUMN "product_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "seller_id" uuid;--> statement-breakpoint
ALTER TABLE "shop_slugs" ADD CONSTRAINT "shop_slugs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shop_slugs_present_idx" ON "shop_slugs" USING btree ("seller_id") WHERE "shop_slugs"."left_at" is null;--> statement-breakpoint
CREATE INDEX "shop_slugs_seller_idx" ON "shop_slugs" USING btree ("seller_id");--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reports_shop_once_idx" ON "reports" USING btree ("seller_id","visitor","reason");--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_about_one" CHECK (num_nonnulls("reports"."product_id", "reports"."seller_id") = 1);--> statement-breakpoint
-- By hand, from here to the end: what a shop's page shows is announced, and the shops from before
-- this version get their slugs. The rule is that of api/shared/slug.ts at this version.
CREATE TRIGGER sellers_moved AFTER UPDATE ON sellers FOR EACH ROW
  WHEN (NEW.business_name IS NOT NULL AND (OLD.location, OLD.region) IS DISTINCT FROM (NEW.location, NEW.region))
  EXECUTE FUNCTION announce('seller');--> statement-breakpoint
CREATE FUNCTION shop_words(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  WITH whole AS (
    SELECT btrim(regexp_replace(translate(replace(replace(replace(replace(regexp_replace(normalize(name, NFD),
      U&'[\0300-\036F\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE00-\FE0F\FE20-\FE2F]+', '', 'g'),
      U&'\0153', 'oe'), U&'\0152', 'oe'), U&'\00E6', 'ae'), U&'\00C6', 'ae'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), '[^a-z0-9]+', '-', 'g'), '-') AS words
  )
  SELECT CASE WHEN length(words) > 40
    THEN left(regexp_replace(left(words, 41), '-[^-]*$', ''), 40) ELSE words END FROM whole
$$;--> statement-breakpoint
DO $$
DECLARE
  shop record;
  base text;
  free text;
  n integer;
BEGIN
  FOR shop IN SELECT id, business_name, created_at FROM sellers WHERE btrim(business_name) <> '' ORDER BY created_at, id LOOP
    base := shop_words(shop.business_name);
    IF base IN ('',
    'about', 'account', 'admin', 'administration', 'aide', 'annonce', 'annonces', 'api', 'app', 'assistance',
    'boutique', 'boutiques', 'category', 'connect', 'contact', 'demo', 'edit', 'en', 'equipe', 'fr', 'help', 'home',
    'index', 'legal', 'login', 'logout', 'marche', 'marche-54', 'marche54', 'market', 'media', 'moderation',
    'moderator', 'new', 'official', 'officiel', 'pay', 'payment', 'payments', 'paiement', 'privacy', 'queue',
    'region', 'report', 'reports', 'root', 'search', 'security', 'securite', 'seller', 'sellers', 'settings', 'shop',
    'shops', 'sign-in', 'sitemap', 'staff', 'stall', 'stalls', 'static', 'support', 'system', 'team', 'terms',
    'test', 'user', 'users', 'verification', 'verified', 'verifie', 'www') THEN
      base := coalesce(nullif(base, ''), 'shop') || '-' || left(shop.id::text, 8);
    END IF;
    free := base;
    n := 1;
    WHILE EXISTS (SELECT FROM shop_slugs WHERE slug = free) LOOP
      n := n + 1;
      free := base || '-' || n;
    END LOOP;
    INSERT INTO shop_slugs (slug, seller_id, taken_at) VALUES (free, shop.id, shop.created_at);
  END LOOP;
END $$;--> statement-breakpoint
DROP FUNCTION shop_words(text);
