CREATE TABLE "receipt_counters" (
	"series" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"series" text NOT NULL,
	"number" integer NOT NULL,
	"purchase_id" uuid NOT NULL,
	"refund_id" uuid,
	"issuer" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "receipts_series_number_pk" PRIMARY KEY("series","number"),
	CONSTRAINT "receipts_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "receipts_series_known" CHECK ("receipts"."series" in ('receipt', 'creditNote', 'testReceipt', 'testCreditNote')),
	CONSTRAINT "receipts_numbered" CHECK ("receipts"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receipts_purchase_idx" ON "receipts" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_once_idx" ON "receipts" USING btree ("purchase_id") WHERE "receipts"."refund_id" is null;--> statement-breakpoint

CREATE TRIGGER receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
