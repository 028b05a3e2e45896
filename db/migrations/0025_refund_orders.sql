ALTER TABLE "refunds" ALTER COLUMN "reference" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "status" text DEFAULT 'completed' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "ask_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "failure" text;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open_idx" ON "refunds" USING btree ("purchase_id") WHERE "refunds"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "refunds_ask_idx" ON "refunds" USING btree ("ask_at") WHERE "refunds"."ask_at" is not null;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_status_known" CHECK ("refunds"."status" in ('pending', 'completed', 'failed'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_completed_whole" CHECK (("refunds"."status" = 'completed') = ("refunds"."reference" is not null) and ("refunds"."status" = 'completed' or "refunds"."credits_taken" = 0) and ("refunds"."status" = 'pending' or "refunds"."ask_at" is null) and ("refunds"."status" = 'failed' or "refunds"."failure" is null));--> statement-breakpoint

-- A refund is changed until it is completed or failed, and stays what was ordered.
DROP TRIGGER refunds_append_only ON refunds;
--> statement-breakpoint
CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER refunds_final BEFORE UPDATE ON refunds FOR EACH ROW
  WHEN (OLD.status <> 'pending' OR (OLD.id, OLD.purchase_id, OLD.amount, OLD.currency, OLD.reason, OLD.actor_id)
    IS DISTINCT FROM (NEW.id, NEW.purchase_id, NEW.amount, NEW.currency, NEW.reason, NEW.actor_id))
  EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
DROP TRIGGER purchase_settled ON refunds;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER purchase_settled AFTER INSERT OR UPDATE ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_entry();
--> statement-breakpoint

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
    INTO r FROM refunds WHERE purchase_id = purchase AND status = 'completed';
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
