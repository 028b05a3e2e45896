CREATE TABLE "queue_stretches" (
	"queue_name" text NOT NULL,
	"band" smallint NOT NULL,
	"level" smallint NOT NULL,
	"stretch" bigint NOT NULL,
	"items" integer NOT NULL,
	CONSTRAINT "queue_stretches_queue_name_level_band_stretch_pk" PRIMARY KEY("queue_name","level","band","stretch")
);
--> statement-breakpoint
CREATE INDEX "sellers_suspended_idx" ON "sellers" USING btree ("id") WHERE "sellers"."suspended";--> statement-breakpoint
-- The count of each stretch follows every change of the line, whatever code made it, in its own transaction. Once a statement, not once a
-- row: a run of process-queue and a rebuild touch each stretch once. The widest stretch comes first, so that two transactions which
-- change one lane wait for each other there and nowhere else; the lane's lock has made them wait before in almost every case.
CREATE FUNCTION count_queue_stretches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO queue_stretches AS s (queue_name, band, level, stretch, items)
    SELECT i.queue_name, i.band, l.level, i.position >> l.shift, count(*)
    FROM new_items AS i CROSS JOIN (VALUES (0, 16), (1, 22), (2, 28)) AS l (level, shift)
    GROUP BY 1, 2, 3, 4 ORDER BY 3 DESC, 1, 2, 4
    ON CONFLICT (queue_name, level, band, stretch) DO UPDATE SET items = s.items + excluded.items;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO queue_stretches AS s (queue_name, band, level, stretch, items)
    SELECT i.queue_name, i.band, l.level, i.position >> l.shift, -count(*)
    FROM old_items AS i CROSS JOIN (VALUES (0, 16), (1, 22), (2, 28)) AS l (level, shift)
    GROUP BY 1, 2, 3, 4 ORDER BY 3 DESC, 1, 2, 4
    ON CONFLICT (queue_name, level, band, stretch) DO UPDATE SET items = s.items + excluded.items;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO queue_stretches AS s (queue_name, band, level, stretch, items)
    SELECT i.queue_name, i.band, l.level, i.position >> l.shift, sum(i.change)
    FROM (
      SELECT queue_name, band, position, 1 AS change FROM new_items
      UNION ALL
      SELECT queue_name, band, position, -1 FROM old_items
    ) AS i CROSS JOIN (VALUES (0, 16), (1, 22), (2, 28)) AS l (level, shift)
    GROUP BY 1, 2, 3, 4 HAVING sum(i.change) <> 0 ORDER BY 3 DESC, 1, 2, 4
    ON CONFLICT (queue_name, level, band, stretch) DO UPDATE SET items = s.items + excluded.items;
  ELSE
    DELETE FROM queue_stretches;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER queue_stretches_of_new AFTER INSERT ON queue_items REFERENCING NEW TABLE AS new_items
  FOR EACH STATEMENT EXECUTE FUNCTION count_queue_stretches();
--> statement-breakpoint
CREATE TRIGGER queue_stretches_of_old AFTER DELETE ON queue_items REFERENCING OLD TABLE AS old_items
  FOR EACH STATEMENT EXECUTE FUNCTION count_queue_stretches();
--> statement-breakpoint
CREATE TRIGGER queue_stretches_of_moved AFTER UPDATE ON queue_items REFERENCING OLD TABLE AS old_items NEW TABLE AS new_items
  FOR EACH STATEMENT EXECUTE FUNCTION count_queue_stretches();
--> statement-breakpoint
CREATE TRIGGER queue_stretches_of_none AFTER TRUNCATE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION count_queue_stretches();
--> statement-breakpoint
-- Also where other triggers rest (an import, a replica): a count that is wrong once stays wrong.
ALTER TABLE queue_items ENABLE ALWAYS TRIGGER queue_stretches_of_new;
--> statement-breakpoint
ALTER TABLE queue_items ENABLE ALWAYS TRIGGER queue_stretches_of_old;
--> statement-breakpoint
ALTER TABLE queue_items ENABLE ALWAYS TRIGGER queue_stretches_of_moved;
--> statement-breakpoint
ALTER TABLE queue_items ENABLE ALWAYS TRIGGER queue_stretches_of_none;
--> statement-breakpoint
-- What waits already. The triggers above hold the table's lock until this is committed.
INSERT INTO queue_stretches (queue_name, band, level, stretch, items)
SELECT i.queue_name, i.band, l.level, i.position >> l.shift, count(*)
FROM queue_items AS i CROSS JOIN (VALUES (0, 16), (1, 22), (2, 28)) AS l (level, shift) GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
-- How many items stand ahead of a place: whole stretches, from the widest to the narrowest, and then the items of the last one.
CREATE FUNCTION queue_ahead(lane text, at_band smallint, at_position bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(n), 0)::bigint FROM (
    SELECT sum(items) AS n FROM queue_stretches WHERE queue_name = lane AND level = 2 AND band < at_band
    UNION ALL
    SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 2 AND band = at_band AND stretch < (at_position >> 28)
    UNION ALL
    SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 1 AND band = at_band
      AND stretch >= ((at_position >> 28) << 6) AND stretch < (at_position >> 22)
    UNION ALL
    SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 0 AND band = at_band
      AND stretch >= ((at_position >> 22) << 6) AND stretch < (at_position >> 16)
    UNION ALL
    SELECT count(*) FROM queue_items WHERE queue_name = lane AND band = at_band AND position >= ((at_position >> 16) << 16) AND position < at_position
  ) AS parts
$$;
--> statement-breakpoint
-- The other way round: where the item stands that has exactly so many ahead of it. No row when the lane is not that long.
CREATE FUNCTION queue_seek(lane text, ahead bigint) RETURNS TABLE (band smallint, "position" bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  rest bigint := ahead;
  found_band smallint;
  found_stretch bigint;
  passed bigint;
BEGIN
  SELECT s.band, s.stretch, s.before INTO found_band, found_stretch, passed FROM (
    SELECT q.band, q.stretch, q.items, sum(q.items) OVER (ORDER BY q.band, q.stretch) - q.items AS before
    FROM queue_stretches AS q WHERE q.queue_name = lane AND q.level = 2
  ) AS s WHERE s.before <= rest AND rest < s.before + s.items;
  IF NOT FOUND THEN RETURN; END IF;
  rest := rest - passed;
  FOR narrower IN REVERSE 1..0 LOOP
    SELECT s.stretch, s.before INTO found_stretch, passed FROM (
      SELECT q.stretch, q.items, sum(q.items) OVER (ORDER BY q.stretch) - q.items AS before
      FROM queue_stretches AS q WHERE q.queue_name = lane AND q.level = narrower AND q.band = found_band
        AND q.stretch >= (found_stretch << 6) AND q.stretch < ((found_stretch + 1) << 6)
    ) AS s WHERE s.before <= rest AND rest < s.before + s.items;
    rest := rest - passed;
  END LOOP;
  RETURN QUERY SELECT i.band, i.position FROM queue_items AS i
    WHERE i.queue_name = lane AND i.band = found_band AND i.position >= (found_stretch << 16) AND i.position < ((found_stretch + 1) << 16)
    ORDER BY i.position OFFSET rest LIMIT 1;
END $$;
