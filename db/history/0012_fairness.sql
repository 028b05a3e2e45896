CREATE TABLE "outages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"given_seconds" integer NOT NULL,
	"rest_seconds" integer DEFAULT 0 NOT NULL,
	"decision" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"shares" jsonb NOT NULL,
	CONSTRAINT "outages_lasted" CHECK ("outages"."until_at" > "outages"."from_at" and "outages"."given_seconds" > 0 and "outages"."rest_seconds" >= 0),
	CONSTRAINT "outages_decision_known" CHECK ("outages"."decision" in ('waiting', 'given', 'declined')),
	CONSTRAINT "outages_decision_whole" CHECK (("outages"."rest_seconds" > 0) = ("outages"."decision" is not null)),
	CONSTRAINT "outages_decided_whole" CHECK ((coalesce("outages"."decision", 'waiting') <> 'waiting') = ("outages"."decided_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "pulse" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pulse_one_row" CHECK ("pulse"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "queue_entries" (
	"queue_name" text NOT NULL,
	"serial" integer NOT NULL,
	"act" text NOT NULL,
	"reason" text NOT NULL,
	"product_id" uuid,
	"from_band" smallint,
	"from_position" bigint,
	"to_band" smallint,
	"to_position" bigint,
	"line" uuid[],
	"front" integer,
	"actor_kind" text NOT NULL,
	"actor_code" text,
	"at" timestamp with time zone NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "queue_entries_queue_name_serial_pk" PRIMARY KEY("queue_name","serial"),
	CONSTRAINT "queue_entries_act_known" CHECK ("queue_entries"."act" in ('enter', 'move', 'leave', 'order', 'hold', 'release')),
	CONSTRAINT "queue_entries_reason_known" CHECK ("queue_entries"."reason" in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'passed', 'turn', 'byHand', 'withdrawn', 'sold', 'removed', 'reported', 'sellerDeleted', 'left', 'stopped', 'time', 'opened', 'rebuilt', 'room', 'suspended', 'unsuspended')),
	CONSTRAINT "queue_entries_order_whole" CHECK (("queue_entries"."act" = 'order') = ("queue_entries"."product_id" is null) and ("queue_entries"."act" = 'order') = ("queue_entries"."line" is not null and "queue_entries"."front" is not null)),
	CONSTRAINT "queue_entries_from_whole" CHECK (("queue_entries"."from_band" is null) = ("queue_entries"."from_position" is null) and ("queue_entries"."act" in ('enter', 'order', 'release')) = ("queue_entries"."from_band" is null)),
	CONSTRAINT "queue_entries_to_whole" CHECK (("queue_entries"."to_band" is null) = ("queue_entries"."to_position" is null) and ("queue_entries"."act" in ('leave', 'order', 'hold')) = ("queue_entries"."to_band" is null)),
	CONSTRAINT "queue_entries_hashed" CHECK ("queue_entries"."hash" ~ '^[0-9a-f]{64}$' and ("queue_entries"."serial" = 1) = ("queue_entries"."previous" = ''))
);
--> statement-breakpoint
CREATE TABLE "queue_logs" (
	"queue_name" text PRIMARY KEY NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"head" text DEFAULT '' NOT NULL,
	"told" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX "queue_order_idx";--> statement-breakpoint
ALTER TABLE "outages" ADD CONSTRAINT "outages_decided_by_user_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_queue_name_queue_logs_queue_name_fk" FOREIGN KEY ("queue_name") REFERENCES "public"."queue_logs"("queue_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outages_waiting_idx" ON "outages" USING btree ("id") WHERE "outages"."decision" = 'waiting';--> statement-breakpoint
CREATE INDEX "queue_entries_product_idx" ON "queue_entries" USING btree ("product_id","serial");--> statement-breakpoint
CREATE INDEX "queue_entries_order_idx" ON "queue_entries" USING btree ("queue_name","serial") WHERE "queue_entries"."act" = 'order';--> statement-breakpoint
CREATE INDEX "queue_entries_ahead_idx" ON "queue_entries" USING btree ("queue_name","serial") WHERE ("queue_entries"."act" in ('move', 'leave', 'release') or "queue_entries"."to_band" = 0 or "queue_entries"."reason" = 'restored') and reason in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'byHand', 'unsuspended');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_hash_idx" ON "queue_entries" USING btree ("hash");--> statement-breakpoint
ALTER TABLE "queue_items" ADD CONSTRAINT "queue_order" UNIQUE("queue_name","band","position") DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint

-- What must hold of the queue's log whatever the code does (decision 056).

-- 1. The log is only ever added to; where it ends follows it.
CREATE TRIGGER queue_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON queue_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER queue_logs_stay BEFORE DELETE OR TRUNCATE ON queue_logs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION keep_queue_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND (NEW.entries, NEW.head) IS DISTINCT FROM (0, ''))
    OR (TG_OP = 'UPDATE' AND pg_trigger_depth() = 1 AND (NEW.queue_name, NEW.entries, NEW.head) IS DISTINCT FROM (OLD.queue_name, OLD.entries, OLD.head)) THEN
    RAISE EXCEPTION 'the end of a queue''s log follows its entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER queue_logs_follow BEFORE INSERT OR UPDATE ON queue_logs FOR EACH ROW EXECUTE FUNCTION keep_queue_log();
--> statement-breakpoint

-- 2. Who waits, and where, changes by an entry of the log alone: the entry itself makes the change.
CREATE FUNCTION refuse_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'who stands where in the queue is written by its log alone' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'queue_items_follow';
END $$;
--> statement-breakpoint
CREATE TRIGGER queue_items_follow BEFORE INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, product_id, queue_name, band, position ON queue_items
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_unlogged();
--> statement-breakpoint
CREATE FUNCTION append_queue_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  log record;
BEGIN
  SELECT entries, head INTO log FROM queue_logs WHERE queue_name = NEW.queue_name FOR UPDATE;
  IF (NEW.serial, NEW.previous) IS DISTINCT FROM (log.entries + 1, log.head) THEN
    RAISE EXCEPTION 'entry % of % does not follow entry %', NEW.serial, NEW.queue_name, log.entries
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_follow';
  END IF;
  UPDATE queue_logs SET entries = NEW.serial, head = NEW.hash WHERE queue_name = NEW.queue_name;
  IF NEW.act IN ('move', 'leave', 'hold', 'release')
    AND NOT EXISTS (SELECT FROM queue_items WHERE product_id = NEW.product_id AND queue_name = NEW.queue_name
      AND (band, position) = (CASE WHEN NEW.act = 'release' THEN NEW.to_band ELSE NEW.from_band END, CASE WHEN NEW.act = 'release' THEN NEW.to_position ELSE NEW.from_position END)) THEN
    RAISE EXCEPTION 'product % does not wait where entry % says', NEW.product_id, NEW.serial
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_true';
  END IF;
  CASE NEW.act
    WHEN 'enter' THEN
      INSERT INTO queue_items (product_id, queue_name, band, position, queued_at, item_data)
        VALUES (NEW.product_id, NEW.queue_name, NEW.to_band, NEW.to_position, NEW.at, '{}');
    WHEN 'move' THEN
      UPDATE queue_items SET band = NEW.to_band, position = NEW.to_position WHERE product_id = NEW.product_id;
    WHEN 'leave' THEN
      DELETE FROM queue_items WHERE product_id = NEW.product_id;
    WHEN 'order' THEN
      -- The whole lane, in the order in which it stands, and nobody else.
      IF NEW.line <> ARRAY(SELECT product_id FROM queue_items WHERE queue_name = NEW.queue_name ORDER BY band, position)
        OR NEW.front <> (SELECT count(*) FROM queue_items WHERE queue_name = NEW.queue_name AND band = 0) THEN
        RAISE EXCEPTION 'entry % says another order than that of %', NEW.serial, NEW.queue_name
          USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_true';
      END IF;
      UPDATE queue_items SET position = l.place * 1024 FROM unnest(NEW.line) WITH ORDINALITY AS l (product_id, place)
        WHERE queue_items.product_id = l.product_id AND queue_items.position <> l.place * 1024;
    ELSE NULL;
  END CASE;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER queue_entries_append BEFORE INSERT ON queue_entries FOR EACH ROW EXECUTE FUNCTION append_queue_entry();