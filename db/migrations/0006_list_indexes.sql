-- An index serves `order by … desc` only when it has its nulls first, as that has: the lists of the admin's side sorted whole tables.
DROP INDEX "audit_at_idx";--> statement-breakpoint
DROP INDEX "cleanup_started_idx";--> statement-breakpoint
DROP INDEX "health_checked_idx";--> statement-breakpoint
DROP INDEX "outbox_seller_idx";--> statement-breakpoint
DROP INDEX "outbox_created_idx";--> statement-breakpoint
DROP INDEX "products_seller_idx";--> statement-breakpoint
DROP INDEX "products_status_idx";--> statement-breakpoint
DROP INDEX "reports_open_idx";--> statement-breakpoint
DROP INDEX "sellers_created_idx";--> statement-breakpoint
CREATE INDEX "products_started_idx" ON "products" USING btree ("listing_started_at");--> statement-breakpoint
CREATE INDEX "products_removed_idx" ON "products" USING btree ("removed_at" DESC NULLS FIRST,"id") WHERE "products"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "products_fee_idx" ON "products" USING btree ("fee_state","created_at" DESC NULLS FIRST,"id") WHERE "products"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "audit_at_idx" ON "audit_log" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "cleanup_started_idx" ON "cleanup_runs" USING btree ("started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "health_checked_idx" ON "health_checks" USING btree ("checked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outbox_seller_idx" ON "outbox" USING btree ("seller_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outbox_created_idx" ON "outbox" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "products_status_idx" ON "products" USING btree ("status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "reports_open_idx" ON "reports" USING btree ("created_at" DESC NULLS FIRST) WHERE "reports"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "sellers_created_idx" ON "sellers" USING btree ("created_at" DESC NULLS FIRST,"id");
--> statement-breakpoint
-- What get_incomplete_products lists, and nothing else: its condition, word for word (api/products/integrity.ts).
CREATE INDEX products_incomplete_idx ON products (created_at DESC, id) WHERE ("removed_at" is null and "withdrawn_at" is null and "listing_ended_at" is null and "images_deleted_at" is null
  AND (char_length(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 3::int
  OR char_length(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 10::int
  OR jsonb_array_length("images") = 0
  OR coalesce("price", 0) < 100
  OR "duration_seconds" is null
  OR "category" is null
  OR btrim(coalesce("seller_name", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = ''
  OR coalesce("seller_whatsapp", '') = ''
  OR (btrim(coalesce("seller_location", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '' and btrim(coalesce("city", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '')
  OR "payment_method" is null));
