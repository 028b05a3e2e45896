CREATE TABLE "credit_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"credits_due" integer NOT NULL,
	"credits_taken" integer NOT NULL,
	"entry_id" uuid,
	"reference" text NOT NULL,
	"reason" text NOT NULL,
	"actor_id" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "credit_refunds_entry_id_unique" UNIQUE("entry_id"),
	CONSTRAINT "credit_refunds_currency_known" CHECK ("credit_refunds"."currency" in ('XAF', 'USD')),
	CONSTRAINT "credit_refunds_positive" CHECK ("credit_refunds"."amount" > 0 and "credit_refunds"."credits_due" >= 0),
	CONSTRAINT "credit_refunds_taken" CHECK ("credit_refunds"."credits_taken" between 0 and "credit_refunds"."credits_due"),
	CONSTRAINT "credit_refunds_entered" CHECK (("credit_refunds"."credits_taken" > 0) = ("credit_refunds"."entry_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind_known";--> statement-breakpoint
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_signed";--> statement-breakpoint
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_purchase_whole";--> statement-breakpoint
ALTER TABLE "credit_purchases" DROP CONSTRAINT "credit_purchases_status_known";--> statement-breakpoint
ALTER TABLE "credit_purchases" DROP CONSTRAINT "credit_purchases_completed_whole";--> statement-breakpoint
ALTER TABLE "credit_purchases" DROP CONSTRAINT "credit_purchases_closed_whole";--> statement-breakpoint
DROP INDEX "credit_entries_purchase_idx";--> statement-breakpoint
ALTER TABLE "credit_refunds" ADD CONSTRAINT "credit_refunds_purchase_id_credit_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."credit_purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_refunds" ADD CONSTRAINT "credit_refunds_entry_id_credit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."credit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_refunds_purchase_idx" ON "credit_refunds" USING btree ("purchase_id","at");--> statement-breakpoint
CREATE INDEX "credit_entries_reversal_idx" ON "credit_entries" USING btree ("purchase_id") WHERE "credit_entries"."kind" = 'reversal';--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_purchase_idx" ON "credit_entries" USING btree ("purchase_id") WHERE "credit_entries"."kind" = 'purchase';--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_kind_known" CHECK ("credit_entries"."kind" in ('joining', 'purchase', 'spend', 'refund', 'correction', 'reversal'));--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_signed" CHECK (case when "credit_entries"."kind" in ('spend', 'reversal') then "credit_entries"."amount" < 0 when "credit_entries"."kind" = 'correction' then "credit_entries"."amount" <> 0 else "credit_entries"."amount" > 0 end);--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_purchase_whole" CHECK (("credit_entries"."kind" in ('purchase', 'reversal')) = ("credit_entries"."purchase_id" is not null));--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_status_known" CHECK ("credit_purchases"."status" in ('pending', 'completed', 'failed', 'expired', 'cancelled', 'partly_refunded', 'refunded'));--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_completed_whole" CHECK (("credit_purchases"."status" in ('completed', 'partly_refunded', 'refunded')) = ("credit_purchases"."completed_at" is not null) and ("credit_purchases"."completed_at" is null or "credit_purchases"."payment_reference" is not null));--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_closed_whole" CHECK (("credit_purchases"."status" not in ('failed', 'expired', 'cancelled') or "credit_purchases"."closed_at" is not null) and ("credit_purchases"."status" <> 'pending' or "credit_purchases"."closed_at" is null) and ("credit_purchases"."closed_at" is not null or "credit_purchases"."closed_reason" is null));--> statement-breakpoint

CREATE TRIGGER credit_refunds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- The states of docs/payments.md. What was paid changes no more than its state.
DROP TRIGGER credit_purchases_final ON credit_purchases;
--> statement-breakpoint
CREATE FUNCTION follow_purchase_states() RETURNS trigger LANGUAGE plpgsql AS $$
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
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'credit_purchases_final';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_purchases_final BEFORE UPDATE ON credit_purchases FOR EACH ROW EXECUTE FUNCTION follow_purchase_states();
--> statement-breakpoint

CREATE OR REPLACE FUNCTION key_cash_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payment_key := CASE WHEN NEW.purchase_method = 'cash_partner' AND NEW.completed_at IS NOT NULL THEN cash_reference_key(NEW.payment_reference) END;
  RETURN NEW;
END $$;
--> statement-breakpoint

-- At commit, exactly the paid purchases have an entry, refunds add up to the state, and each reversal
-- belongs to one.
CREATE OR REPLACE FUNCTION check_purchase_credited(purchase uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  r record;
  credited boolean;
  reversed bigint;
BEGIN
  SELECT status, member, credits_amount, coalesce(amount_xaf, amount_usd) AS price, completed_at IS NOT NULL AS paid
    INTO p FROM credit_purchases WHERE id = purchase;
  SELECT EXISTS (SELECT FROM credit_entries WHERE purchase_id = purchase AND kind = 'purchase' AND member = p.member AND amount = p.credits_amount) INTO credited;
  IF credited <> p.paid THEN
    RAISE EXCEPTION 'purchase % is % and its credits are %', purchase, p.status, CASE WHEN credited THEN 'in the ledger' ELSE 'not in the ledger' END
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_purchase_credited';
  END IF;
  SELECT coalesce(sum(amount), 0) AS amount, coalesce(sum(credits_taken), 0) AS taken, coalesce(sum(credits_due), 0) AS due
    INTO r FROM credit_refunds WHERE purchase_id = purchase;
  SELECT coalesce(-sum(e.amount), 0) FROM credit_entries e JOIN credit_refunds f ON f.entry_id = e.id AND f.purchase_id = purchase
    WHERE e.purchase_id = purchase AND e.kind = 'reversal' AND e.member = p.member INTO reversed;
  IF r.taken <> reversed OR r.due > p.credits_amount
    OR p.status = 'refunded' AND r.amount <> p.price
    OR p.status = 'partly_refunded' AND (r.amount = 0 OR r.amount >= p.price)
    OR p.status NOT IN ('refunded', 'partly_refunded') AND r.amount > 0
    OR EXISTS (SELECT FROM credit_entries e WHERE e.purchase_id = purchase AND e.kind = 'reversal'
      AND NOT EXISTS (SELECT FROM credit_refunds f WHERE f.entry_id = e.id)) THEN
    RAISE EXCEPTION 'the refunds of purchase % do not add up', purchase
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_purchase_refunded';
  END IF;
END $$;
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER credit_purchase_credited AFTER INSERT ON credit_refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_entry();
