-- Purchases are of credits or of a fee now; their tables, constraints, indexes and triggers follow.
DROP TRIGGER credit_purchases_stay ON credit_purchases;
--> statement-breakpoint
DROP TRIGGER credit_purchases_final ON credit_purchases;
--> statement-breakpoint
DROP TRIGGER credit_purchases_agreed ON credit_purchases;
--> statement-breakpoint
DROP TRIGGER credit_purchases_key ON credit_purchases;
--> statement-breakpoint
DROP TRIGGER credit_purchase_credited ON credit_purchases;
--> statement-breakpoint
DROP TRIGGER credit_refunds_append_only ON credit_refunds;
--> statement-breakpoint
DROP TRIGGER credit_purchase_credited ON credit_refunds;
--> statement-breakpoint
ALTER TABLE credit_purchases RENAME TO purchases;
--> statement-breakpoint
ALTER TABLE credit_refunds RENAME TO refunds;
--> statement-breakpoint
DO $$
DECLARE
  r record;
BEGIN
  FOR r IN SELECT conname AS old, conrelid::regclass AS of FROM pg_constraint WHERE conname ~ 'credit_(purchases|refunds)_' AND contype <> 't' AND conparentid = 0 LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', r.of, r.old, regexp_replace(r.old, 'credit_(purchases|refunds)_', '\1_', 'g'));
  END LOOP;
  FOR r IN SELECT indexname AS old FROM pg_indexes WHERE indexname ~ '^credit_(purchases|refunds)_' LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', r.old, regexp_replace(r.old, '^credit_', ''));
  END LOOP;
END $$;
--> statement-breakpoint

ALTER TABLE "purchases" DROP CONSTRAINT "purchases_xaf_dated";--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "member" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "amount_usd" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "credits_amount" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "listing_id" uuid;--> statement-breakpoint
CREATE INDEX "purchases_listing_idx" ON "purchases" USING btree ("listing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_open_fee_idx" ON "purchases" USING btree ("listing_id") WHERE "purchases"."status" = 'pending';--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_subject" CHECK (num_nonnulls("purchases"."member", "purchases"."listing_id") = 1 and ("purchases"."member" is null) = ("purchases"."amount_usd" is null) and ("purchases"."member" is null) = ("purchases"."credits_amount" is null));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_xaf_dated" CHECK (case when "purchases"."listing_id" is null then ("purchases"."amount_xaf" is null) = ("purchases"."xaf_from" is null) else "purchases"."amount_xaf" is not null and "purchases"."xaf_from" is null end);--> statement-breakpoint

CREATE OR REPLACE FUNCTION follow_purchase_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (CASE OLD.status
    WHEN 'pending' THEN NEW.status NOT IN ('partly_refunded', 'refunded')
    WHEN 'failed' THEN NEW.status = 'completed'
    WHEN 'expired' THEN NEW.status = 'completed'
    WHEN 'completed' THEN NEW.status IN ('partly_refunded', 'refunded')
    WHEN 'partly_refunded' THEN NEW.status IN ('partly_refunded', 'refunded')
    ELSE false END)
    OR (OLD.completed_at IS NOT NULL AND to_jsonb(NEW) - 'status' <> to_jsonb(OLD) - 'status') THEN
    RAISE EXCEPTION 'purchase % does not go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'purchases_final';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint

CREATE TRIGGER purchases_stay BEFORE DELETE OR TRUNCATE ON purchases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER purchases_final BEFORE UPDATE ON purchases FOR EACH ROW EXECUTE FUNCTION follow_purchase_states();
--> statement-breakpoint
CREATE TRIGGER purchases_key BEFORE INSERT OR UPDATE ON purchases FOR EACH ROW EXECUTE FUNCTION key_cash_payment();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER purchase_settled AFTER INSERT OR UPDATE OF status ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_purchase();
--> statement-breakpoint
CREATE TRIGGER refunds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER purchase_settled AFTER INSERT ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_entry();
--> statement-breakpoint
CREATE TRIGGER purchases_agreed BEFORE UPDATE ON purchases FOR EACH ROW
  WHEN ((OLD.id, OLD.member, OLD.listing_id, OLD.amount_usd, OLD.credits_amount, OLD.amount_xaf, OLD.xaf_rate, OLD.xaf_from, OLD.purchase_method, OLD.reference, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.member, NEW.listing_id, NEW.amount_usd, NEW.credits_amount, NEW.amount_xaf, NEW.xaf_rate, NEW.xaf_from, NEW.purchase_method, NEW.reference, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- At commit, exactly the paid purchases of credits have an entry, no fee with a paid purchase is due,
-- refunds add up to the state, and each reversal belongs to one.
CREATE OR REPLACE FUNCTION check_purchase_credited(purchase uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  r record;
  credited boolean;
  reversed bigint;
BEGIN
  SELECT status, member, listing_id, coalesce(credits_amount, 0) AS credits_amount, coalesce(amount_xaf, amount_usd) AS price, completed_at IS NOT NULL AS paid
    INTO p FROM purchases WHERE id = purchase;
  SELECT EXISTS (SELECT FROM credit_entries WHERE purchase_id = purchase AND kind = 'purchase' AND member = p.member AND amount = p.credits_amount) INTO credited;
  IF credited <> (p.paid AND p.member IS NOT NULL) THEN
    RAISE EXCEPTION 'purchase % is % and its credits are %', purchase, p.status, CASE WHEN credited THEN 'in the ledger' ELSE 'not in the ledger' END
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_purchase_credited';
  END IF;
  IF p.paid AND p.status <> 'refunded' AND EXISTS (SELECT FROM listings WHERE id = p.listing_id AND fee_state = 'due'
    UNION ALL SELECT FROM kept_fees WHERE listing_id = p.listing_id AND fee_state = 'due') THEN
    RAISE EXCEPTION 'purchase % is paid and its fee is due', purchase
      USING ERRCODE = 'check_violation', CONSTRAINT = 'purchase_fee_paid';
  END IF;
  SELECT coalesce(sum(amount), 0) AS amount, coalesce(sum(credits_taken), 0) AS taken, coalesce(sum(credits_due), 0) AS due
    INTO r FROM refunds WHERE purchase_id = purchase;
  SELECT coalesce(-sum(e.amount), 0) FROM credit_entries e JOIN refunds f ON f.entry_id = e.id AND f.purchase_id = purchase
    WHERE e.purchase_id = purchase AND e.kind = 'reversal' AND e.member = p.member INTO reversed;
  IF r.taken <> reversed OR r.due > p.credits_amount
    OR p.status = 'refunded' AND r.amount <> p.price
    OR p.status = 'partly_refunded' AND (r.amount = 0 OR r.amount >= p.price)
    OR p.status NOT IN ('refunded', 'partly_refunded') AND r.amount > 0
    OR EXISTS (SELECT FROM credit_entries e WHERE e.purchase_id = purchase AND e.kind = 'reversal'
      AND NOT EXISTS (SELECT FROM refunds f WHERE f.entry_id = e.id)) THEN
    RAISE EXCEPTION 'the refunds of purchase % do not add up', purchase
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_purchase_refunded';
  END IF;
END $$;
