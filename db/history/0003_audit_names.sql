-- What a line of the audit log speaks of keeps the name that it had then (docs/decisions/038-corrections.md).
ALTER TABLE "audit_log" ADD COLUMN "subject_name" jsonb;--> statement-breakpoint
-- The log is only ever added to; a new column of the lines that are there is no change of what they say. What is there still lends its
-- name; what is gone has left it in the line that made or deleted it.
ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;--> statement-breakpoint
UPDATE audit_log SET subject_name = p.name FROM products p WHERE subject_kind IN ('product', 'report') AND subject_id = p.id::text;--> statement-breakpoint
UPDATE audit_log SET subject_name = to_jsonb(s.name) FROM sellers s WHERE subject_kind = 'seller' AND subject_id = s.id::text;--> statement-breakpoint
UPDATE audit_log SET subject_name = to_jsonb(u.name) FROM "user" u WHERE subject_kind = 'user' AND subject_id = u.id;--> statement-breakpoint
UPDATE audit_log SET subject_name = left_by.name
FROM (SELECT DISTINCT ON (subject_id) subject_id, coalesce(before -> 'name', after -> 'name') AS name FROM audit_log
  WHERE action IN ('product.create', 'product.edit.approve', 'product.edit.reject', 'seller.delete') ORDER BY subject_id, id DESC) AS left_by
WHERE audit_log.subject_id = left_by.subject_id AND subject_kind IN ('product', 'report', 'seller') AND subject_name IS NULL
  AND jsonb_typeof(left_by.name) IN ('string', 'object');--> statement-breakpoint
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;
