ALTER TABLE "connect_posts" ADD COLUMN "region_code" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "region_code" text;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_region_code_known" CHECK ("connect_posts"."region_code" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_region_code_known" CHECK ("products"."region_code" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_region_known" CHECK ("sellers"."region" in ('adamawa', 'centre', 'east', 'far-north', 'littoral', 'north', 'north-west', 'south', 'south-west', 'west'));--> statement-breakpoint
-- By hand, from here to the end: the regions of rows from before this version, where their words
-- give one for sure. The rule is that of api/shared/regionOf.ts at this version.
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
DROP TABLE reg_towns;
