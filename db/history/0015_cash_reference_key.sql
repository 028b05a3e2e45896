ALTER TABLE "credit_purchases" ADD COLUMN "payment_key" text;--> statement-breakpoint

-- By hand: the key of a cash reference, for the rows that there are and for each to come. Of old rows with one key, the first keeps
-- it and the others have none, so that the index can be made; `bun run check` lists them (settledTwice).
CREATE FUNCTION cash_reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(lower(normalize(reference, NFKC)), '[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]', '', 'g')
$$;
--> statement-breakpoint
ALTER TABLE credit_purchases DISABLE TRIGGER credit_purchases_final;
--> statement-breakpoint
UPDATE credit_purchases p SET payment_key = cash_reference_key(payment_reference)
  WHERE purchase_method = 'cash_partner' AND status = 'completed' AND NOT EXISTS (
    SELECT FROM credit_purchases o WHERE o.purchase_method = 'cash_partner' AND o.status = 'completed'
      AND cash_reference_key(o.payment_reference) = cash_reference_key(p.payment_reference)
      AND (o.completed_at, o.id) < (p.completed_at, p.id));
--> statement-breakpoint
-- The deferred triggers of the update run now: a table that waits for them cannot be altered.
SET CONSTRAINTS ALL IMMEDIATE;
--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
--> statement-breakpoint
ALTER TABLE credit_purchases ENABLE TRIGGER credit_purchases_final;
--> statement-breakpoint
CREATE FUNCTION key_cash_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payment_key := CASE WHEN NEW.purchase_method = 'cash_partner' AND NEW.status = 'completed' THEN cash_reference_key(NEW.payment_reference) END;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_purchases_key BEFORE INSERT OR UPDATE ON credit_purchases FOR EACH ROW EXECUTE FUNCTION key_cash_payment();
--> statement-breakpoint
CREATE UNIQUE INDEX "credit_purchases_payment_key_idx" ON "credit_purchases" USING btree ("payment_key");
