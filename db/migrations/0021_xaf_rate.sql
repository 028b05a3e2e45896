ALTER TABLE "credit_purchases" ADD COLUMN "xaf_rate" numeric(8, 2);--> statement-breakpoint

DROP TRIGGER credit_purchases_agreed ON credit_purchases;
--> statement-breakpoint
CREATE TRIGGER credit_purchases_agreed BEFORE UPDATE ON credit_purchases FOR EACH ROW
  WHEN ((OLD.id, OLD.member, OLD.amount_usd, OLD.credits_amount, OLD.amount_xaf, OLD.xaf_rate, OLD.xaf_from, OLD.purchase_method, OLD.reference, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.member, NEW.amount_usd, NEW.credits_amount, NEW.amount_xaf, NEW.xaf_rate, NEW.xaf_from, NEW.purchase_method, NEW.reference, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- The price of the pack of ten dollars becomes a rate.
UPDATE settings SET key = 'xafPerUsd', value = to_jsonb(least(round((value #>> '{}')::numeric / 10, 2), 100000)) WHERE key = 'packPriceXaf';
--> statement-breakpoint
UPDATE settings SET key = 'xafPerUsdFrom' WHERE key = 'packPriceXafFrom';
