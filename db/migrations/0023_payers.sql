CREATE TABLE "payers" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "purchases" DROP CONSTRAINT "purchases_asked_pending";--> statement-breakpoint
ALTER TABLE "purchases" DROP CONSTRAINT "purchases_closed_whole";--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "payers" ADD CONSTRAINT "payers_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payers_at_idx" ON "payers" USING btree ("at");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_network_known" CHECK ("purchases"."network" in ('mtn_momo', 'orange_money'));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_failure_known" CHECK ("purchases"."failure" in ('declined', 'noFunds', 'limit', 'noWallet', 'busy', 'away', 'mismatch', 'other'));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_asked_unpaid" CHECK ("purchases"."ask_at" is null or "purchases"."status" in ('pending', 'expired'));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_closed_whole" CHECK (("purchases"."status" not in ('failed', 'expired', 'cancelled') or "purchases"."closed_at" is not null) and ("purchases"."status" <> 'pending' or "purchases"."closed_at" is null) and ("purchases"."closed_at" is not null or num_nonnulls("purchases"."closed_reason", "purchases"."failure") = 0));--> statement-breakpoint

-- One that expired is asked about for another day.
CREATE OR REPLACE FUNCTION follow_purchase_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (CASE OLD.status
    WHEN 'pending' THEN NEW.status NOT IN ('partly_refunded', 'refunded')
    WHEN 'failed' THEN NEW.status = 'completed'
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
