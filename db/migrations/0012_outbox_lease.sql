DROP INDEX "outbox_waiting_idx";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "lease" uuid;--> statement-breakpoint
CREATE INDEX "outbox_recipient_idx" ON "outbox" USING btree ("channel","recipient","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_waiting_idx" ON "outbox" USING btree ("channel","next_attempt_at","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_lease_waits" CHECK ("outbox"."lease" is null or "outbox"."state" = 'waiting');--> statement-breakpoint
-- An admin's open line ends with the session that opened it, and with the role: every process looks again when it hears this.
CREATE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'session' THEN
    IF NOT EXISTS (SELECT FROM "user" WHERE id = OLD.user_id AND role = 'admin') THEN RETURN NULL; END IF;
  END IF;
  PERFORM pg_notify('market', 'access:ended');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_ended AFTER DELETE ON "session" FOR EACH ROW EXECUTE FUNCTION announce_access();
--> statement-breakpoint
CREATE TRIGGER admin_demoted AFTER UPDATE OF role ON "user" FOR EACH ROW WHEN (OLD.role = 'admin' AND NEW.role <> 'admin') EXECUTE FUNCTION announce_access();
--> statement-breakpoint
CREATE TRIGGER admin_deleted AFTER DELETE ON "user" FOR EACH ROW WHEN (OLD.role = 'admin') EXECUTE FUNCTION announce_access();
