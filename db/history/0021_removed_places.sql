DROP INDEX "audit_queued_again_idx";--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "removed_place" jsonb;--> statement-breakpoint
ALTER TABLE "queue_items" ADD COLUMN "moves" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_removed_ended" CHECK ("listings"."removed_place" is null or "listings"."ended_at" is not null);--> statement-breakpoint

-- By hand: fills the new columns from the audit log.
UPDATE queue_items q SET moves = (
  SELECT count(*) FROM audit_log WHERE subject_kind = 'product' AND subject_id = q.product_id::text AND action = 'queue.move');
--> statement-breakpoint
-- A neighbour's moves are those before the removal. Entries of earlier versions lack `remainingSeconds`.
CREATE FUNCTION pg_temp.neighbour(item jsonb, removal bigint) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('id', item, 'moves', count(l.id)) FROM queue_items q
    LEFT JOIN audit_log l ON l.subject_kind = 'product' AND l.subject_id = q.product_id::text
      AND l.action = 'queue.move' AND l.id < removal
    WHERE q.id = (item #>> '{}')::bigint HAVING count(q.id) > 0
$$;
--> statement-breakpoint
UPDATE listings l SET removed_place = jsonb_build_object('queue', CASE
  WHEN jsonb_typeof(r.before -> 'queue') = 'object' THEN '{"remainingSeconds": null}'::jsonb || (r.before -> 'queue') || jsonb_build_object(
    'ahead', pg_temp.neighbour(r.before -> 'queue' -> 'ahead', r.id),
    'behind', pg_temp.neighbour(r.before -> 'queue' -> 'behind', r.id))
  END)
FROM (SELECT DISTINCT ON (subject_id) id, subject_id, before, after FROM audit_log
    WHERE subject_kind = 'product' AND action = 'queue.remove' ORDER BY subject_id, id DESC) AS r
  JOIN products p ON p.id::text = r.subject_id
WHERE l.product_id = p.id AND l.number = (SELECT max(number) FROM listings WHERE product_id = p.id)
  AND l.ended_at IS NOT NULL AND r.before ->> 'listingEndedAt' IS NULL
  AND (r.after ->> 'removedAt')::timestamptz = p.removed_at;
--> statement-breakpoint
DROP FUNCTION pg_temp.neighbour(jsonb, bigint);
