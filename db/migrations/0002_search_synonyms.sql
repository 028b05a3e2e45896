-- Alternatives of a word are separated by "|", which no word has; one of them is enough.
CREATE OR REPLACE FUNCTION search_query(words text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH forms AS (
    SELECT n, plainto_tsquery('english', word) AS english, plainto_tsquery('french', word) AS french, to_tsquery('simple', quote_literal(word) || ':*') AS beginning
    FROM unnest(words) WITH ORDINALITY AS given(words, n), unnest(string_to_array(words, '|')) AS word
  ), judged AS (
    SELECT n, string_agg((english || french || beginning)::text, ' | ') AS word, bool_and(numnode(english) = 0 OR numnode(french) = 0) AS little FROM forms
    WHERE numnode(beginning) > 0
    GROUP BY n
  ), wanted AS (
    SELECT n, word FROM judged WHERE NOT little OR NOT EXISTS (SELECT FROM judged WHERE NOT little)
  )
  SELECT string_agg('(' || word || ')', ' & ' ORDER BY n)::tsquery FROM wanted
$$;
