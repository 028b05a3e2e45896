-- Streams of the team end with their session or role, a moderator's like an admin's.
CREATE OR REPLACE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'session' THEN
    IF NOT EXISTS (SELECT FROM "user" WHERE id = OLD.user_id AND role <> 'member') THEN RETURN NULL; END IF;
  END IF;
  PERFORM pg_notify('market', 'access:ended');
  RETURN NULL;
END $$;
--> statement-breakpoint

DROP TRIGGER admin_demoted ON "user";
--> statement-breakpoint

CREATE TRIGGER admin_demoted AFTER UPDATE OF role ON "user" FOR EACH ROW WHEN (OLD.role <> 'member' AND NEW.role <> OLD.role) EXECUTE FUNCTION announce_access();
--> statement-breakpoint

DROP TRIGGER admin_deleted ON "user";
--> statement-breakpoint

CREATE TRIGGER admin_deleted AFTER DELETE ON "user" FOR EACH ROW WHEN (OLD.role <> 'member') EXECUTE FUNCTION announce_access();
