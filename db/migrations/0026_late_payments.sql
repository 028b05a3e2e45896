ALTER TABLE "purchases" DROP CONSTRAINT "purchases_asked_unpaid";--> statement-breakpoint
DROP INDEX "purchases_payment_idx";--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_payment_idx" ON "purchases" USING btree ("adapter",coalesce("network", ''),"payment_reference");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_asked_unpaid" CHECK ("purchases"."ask_at" is null or "purchases"."status" in ('pending', 'failed', 'expired'));--> statement-breakpoint

-- One that failed is asked about for another day, too.
CREATE OR REPLACE FUNCTION follow_purchase_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (CASE OLD.status
    WHEN 'pending' THEN NEW.status NOT IN ('partly_refunded', 'refunded')
    WHEN 'failed' THEN NEW.status IN ('failed', 'completed')
    WHEN 'expired' THEN NEW.status IN ('expired', 'completed')
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

-- A lease of refunds checks nothing.
DROP TRIGGER purchase_settled ON refunds;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER purchase_settled AFTER INSERT OR UPDATE OF status ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_entry();
--> statement-breakpoint

-- Waits for a payment that is marking a fee at the moment.
CREATE OR REPLACE FUNCTION keep_fees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_fees (listing_id, person, opened_at, fee, fee_state, fee_reference, fee_marked_at)
  SELECT l.id, (SELECT coalesce(s.user_id, s.id::text) FROM sellers s WHERE s.id = OLD.seller_id), l.opened_at, l.fee, l.fee_state, l.fee_reference, l.fee_marked_at
  FROM listings l WHERE l.product_id = OLD.id AND l.fee IS NOT NULL FOR UPDATE OF l;
  RETURN OLD;
END $$;
