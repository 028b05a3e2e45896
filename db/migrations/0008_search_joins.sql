-- Alternatives of a word are separated by "|", which no word has; one of them is enough. After "="
-- a phrase of exact words, whose last may be longer if it ends with three letters.
CREATE OR REPLACE FUNCTION search_query(words text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH given AS (
    SELECT n, form FROM unnest(words) WITH ORDINALITY AS listed(forms, n), unnest(string_to_array(forms, '|')) AS form
  ), parsed AS (
    SELECT n, plainto_tsquery('english', form) AS english, plainto_tsquery('french', form) AS french, to_tsquery('simple', quote_literal(form) || ':*') AS beginning
    FROM given WHERE form NOT LIKE '=%'
  ), phrases AS (
    SELECT n, string_agg(phraseto_tsquery('simple', substr(form, 2))::text || CASE WHEN form ~ '[a-z]{3}$' THEN ':*' ELSE '' END, ' | ') AS word
    FROM given WHERE form LIKE '=%' AND numnode(phraseto_tsquery('simple', substr(form, 2))) > 0
    GROUP BY n
  ), judged AS (
    SELECT n, string_agg((english || french || beginning)::text, ' | ') AS word, bool_and(numnode(english) = 0 OR numnode(french) = 0) AS little
    FROM parsed WHERE numnode(beginning) > 0
    GROUP BY n
  ), wanted AS (
    SELECT n, concat_ws(' | ', judged.word, phrases.word) AS word FROM judged LEFT JOIN phrases USING (n)
    WHERE NOT little OR NOT EXISTS (SELECT FROM judged WHERE NOT little)
  )
  SELECT string_agg('(' || word || ')', ' & ' ORDER BY n)::tsquery FROM wanted
$$;
