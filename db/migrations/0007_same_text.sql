-- Every language's words of a text such as {"en": "…", "fr": "…"} or "…", each text once: a seller
-- may give one text to readers of every language, named by "written".
CREATE OR REPLACE FUNCTION search_words_of(given jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_words(CASE jsonb_typeof(given)
    WHEN 'object' THEN (SELECT string_agg(value, ' ' ORDER BY key) FROM (
      SELECT value, min(key) AS key FROM jsonb_each_text(given) WHERE key <> 'written' GROUP BY value) AS texts)
    ELSE given #>> '{}' END)
$$;
--> statement-breakpoint
UPDATE findable f SET name_words = s.name_words, text_words = s.text_words, changed = nextval('findable_changed')
FROM findable_source s WHERE s.product_id = f.product_id
  AND (f.name_words, f.text_words) IS DISTINCT FROM (s.name_words, s.text_words);
