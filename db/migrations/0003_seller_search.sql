-- The search for sellers by part of a name or address (marketplace §2 /admin/users) over trigrams. Only a matter of speed, so a server
-- without the extension, or whose owner may not create it, goes on without: the search then reads the table.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX sellers_name_trgm_idx ON sellers USING gin (name gin_trgm_ops);
  CREATE INDEX sellers_email_trgm_idx ON sellers USING gin (email gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'The search for sellers goes without an index: %', SQLERRM;
END $$;
