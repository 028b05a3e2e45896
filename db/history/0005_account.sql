-- One's own account: leaving it, downloading what is stored, and what stays without a name (docs/decisions/040-own-account.md).
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "kept_fees" (
	"listing_id" uuid PRIMARY KEY NOT NULL,
	"person" text,
	"opened_at" timestamp with time zone NOT NULL,
	"fee" integer NOT NULL,
	"fee_state" text NOT NULL,
	"fee_reference" text,
	"fee_marked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "listings" DROP CONSTRAINT "listings_end_reason_known";--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "leaving_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "leaving_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_exports_user_idx" ON "data_exports" USING btree ("user_id","asked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "kept_fees_state_idx" ON "kept_fees" USING btree ("fee_state");--> statement-breakpoint
CREATE INDEX "user_leaving_idx" ON "user" USING btree ("leaving_at") WHERE "user"."leaving_at" is not null;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_end_reason_known" CHECK ("listings"."end_reason" in ('time', 'stopped', 'withdrawn', 'sold', 'removed', 'reported', 'sellerDeleted', 'left'));--> statement-breakpoint

-- What a deleted product's listings owed stays, whoever deletes the product: with the number of the seller's account, without a name.
CREATE FUNCTION keep_fees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_fees (listing_id, person, opened_at, fee, fee_state, fee_reference, fee_marked_at)
  SELECT l.id, (SELECT coalesce(s.user_id, s.id::text) FROM sellers s WHERE s.id = OLD.seller_id), l.opened_at, l.fee, l.fee_state, l.fee_reference, l.fee_marked_at
  FROM listings l WHERE l.product_id = OLD.id AND l.fee IS NOT NULL;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_keep_fees BEFORE DELETE ON products FOR EACH ROW EXECUTE FUNCTION keep_fees();
--> statement-breakpoint

-- The audit log is only ever added to. The one exception is a person who goes: in a transaction that says so, what names them may be emptied,
-- and nothing else may change. An emptied text reads [deleted], so that a line keeps its shape.
CREATE FUNCTION only_emptied(old jsonb, new jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF old IS NOT DISTINCT FROM new THEN RETURN true; END IF;
  IF jsonb_typeof(old) IS DISTINCT FROM jsonb_typeof(new) THEN RETURN false; END IF;
  IF jsonb_typeof(old) = 'string' THEN RETURN new = '"[deleted]"'::jsonb; END IF;
  IF jsonb_typeof(old) = 'object' THEN
    RETURN (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(old) k) IS NOT DISTINCT FROM (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(new) k)
      AND (SELECT bool_and(only_emptied(o.value, new -> o.key)) FROM jsonb_each(old) o);
  END IF;
  IF jsonb_typeof(old) = 'array' THEN
    RETURN jsonb_array_length(old) = jsonb_array_length(new)
      AND (SELECT bool_and(only_emptied(o.value, new -> (o.ordinality - 1)::int)) FROM jsonb_array_elements(old) WITH ORDINALITY o);
  END IF;
  RETURN false;
END $$;
--> statement-breakpoint
CREATE FUNCTION audit_log_only_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.at, OLD.actor_kind, OLD.actor_id, OLD.via, OLD.action, OLD.subject_kind, OLD.request_id)
    IS DISTINCT FROM (NEW.id, NEW.at, NEW.actor_kind, NEW.actor_id, NEW.via, NEW.action, NEW.subject_kind, NEW.request_id)
    OR (NEW.actor_name IS DISTINCT FROM OLD.actor_name AND NEW.actor_name IS NOT NULL)
    OR (NEW.subject_name IS DISTINCT FROM OLD.subject_name AND NEW.subject_name IS NOT NULL)
    -- An address that was let in again is its line's own subject.
    OR (NEW.subject_id IS DISTINCT FROM OLD.subject_id AND NOT (NEW.subject_id IS NULL AND OLD.subject_kind = 'user' AND OLD.subject_id LIKE '%@%'))
    OR NOT only_emptied(OLD.before, NEW.before) OR NOT only_emptied(OLD.after, NEW.after)
  THEN
    RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log FOR EACH STATEMENT
  WHEN (current_setting('marche54.forgetting', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_only_emptied BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_only_emptied();
--> statement-breakpoint

-- News, as before: what a leaving seller had shown is found no more, and is again when they stay.
DROP TRIGGER sellers_announce ON sellers;
--> statement-breakpoint
CREATE TRIGGER sellers_announce AFTER UPDATE ON sellers FOR EACH ROW
  WHEN ((OLD.verified, OLD.verified_by, OLD.verified_whatsapp, OLD.whatsapp, OLD.suspended, OLD.leaving_at, OLD.business_name)
    IS DISTINCT FROM (NEW.verified, NEW.verified_by, NEW.verified_whatsapp, NEW.whatsapp, NEW.suspended, NEW.leaving_at, NEW.business_name))
  EXECUTE FUNCTION announce('seller');
