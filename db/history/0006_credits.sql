CREATE TABLE "credit_accounts" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"user_id" text,
	"entries" integer DEFAULT 0 NOT NULL,
	"balance" integer DEFAULT 0 NOT NULL,
	"head" text DEFAULT '' NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "credit_accounts_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "credit_accounts_not_negative" CHECK ("credit_accounts"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"member" bigint NOT NULL,
	"serial" integer NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"balance" integer NOT NULL,
	"reference_type" text,
	"reference_id" uuid,
	"undoes" uuid,
	"purchase_id" uuid,
	"reason" text,
	"actor_id" text,
	"at" timestamp with time zone NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "credit_entries_kind_known" CHECK ("credit_entries"."kind" in ('joining', 'purchase', 'spend', 'refund', 'correction')),
	CONSTRAINT "credit_entries_reference_known" CHECK ("credit_entries"."reference_type" in ('post', 'response', 'post_update')),
	CONSTRAINT "credit_entries_not_negative" CHECK ("credit_entries"."balance" >= 0),
	CONSTRAINT "credit_entries_signed" CHECK (case when "credit_entries"."kind" = 'spend' then "credit_entries"."amount" < 0 when "credit_entries"."kind" = 'correction' then "credit_entries"."amount" <> 0 else "credit_entries"."amount" > 0 end),
	CONSTRAINT "credit_entries_spend_whole" CHECK (("credit_entries"."kind" = 'spend') = ("credit_entries"."reference_type" is not null) and ("credit_entries"."kind" = 'spend') = ("credit_entries"."reference_id" is not null)),
	CONSTRAINT "credit_entries_refund_whole" CHECK (("credit_entries"."kind" = 'refund') = ("credit_entries"."undoes" is not null)),
	CONSTRAINT "credit_entries_purchase_whole" CHECK (("credit_entries"."kind" = 'purchase') = ("credit_entries"."purchase_id" is not null)),
	CONSTRAINT "credit_entries_correction_whole" CHECK (("credit_entries"."kind" = 'correction') = ("credit_entries"."reason" is not null)),
	CONSTRAINT "credit_entries_hashed" CHECK ("credit_entries"."hash" ~ '^[0-9a-f]{64}$' and ("credit_entries"."serial" = 1) = ("credit_entries"."previous" = ''))
);
--> statement-breakpoint
CREATE TABLE "credit_purchases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"member" bigint NOT NULL,
	"amount_usd" integer NOT NULL,
	"credits_amount" integer NOT NULL,
	"amount_xaf" integer,
	"xaf_from" date,
	"purchase_method" text NOT NULL,
	"adapter" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"reference" text NOT NULL,
	"payment_reference" text,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ask_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_reason" text,
	CONSTRAINT "credit_purchases_reference_unique" UNIQUE("reference"),
	CONSTRAINT "credit_purchases_method_known" CHECK ("credit_purchases"."purchase_method" in ('stripe', 'mobile_money', 'cash_partner')),
	CONSTRAINT "credit_purchases_status_known" CHECK ("credit_purchases"."status" in ('pending', 'completed', 'failed', 'cancelled')),
	CONSTRAINT "credit_purchases_positive" CHECK ("credit_purchases"."amount_usd" > 0 and "credit_purchases"."credits_amount" > 0 and "credit_purchases"."amount_xaf" > 0),
	CONSTRAINT "credit_purchases_xaf_dated" CHECK (("credit_purchases"."amount_xaf" is null) = ("credit_purchases"."xaf_from" is null)),
	CONSTRAINT "credit_purchases_completed_whole" CHECK (("credit_purchases"."status" = 'completed') = ("credit_purchases"."completed_at" is not null) and ("credit_purchases"."status" <> 'completed' or "credit_purchases"."payment_reference" is not null)),
	CONSTRAINT "credit_purchases_closed_whole" CHECK (("credit_purchases"."status" in ('failed', 'cancelled')) = ("credit_purchases"."closed_at" is not null) and ("credit_purchases"."closed_at" is not null or "credit_purchases"."closed_reason" is null)),
	CONSTRAINT "credit_purchases_asked_pending" CHECK ("credit_purchases"."ask_at" is null or "credit_purchases"."status" = 'pending')
);
--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_member_credit_accounts_number_fk" FOREIGN KEY ("member") REFERENCES "public"."credit_accounts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_undoes_credit_entries_id_fk" FOREIGN KEY ("undoes") REFERENCES "public"."credit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_purchase_id_credit_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."credit_purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_member_credit_accounts_number_fk" FOREIGN KEY ("member") REFERENCES "public"."credit_accounts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_serial_idx" ON "credit_entries" USING btree ("member","serial");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_spend_idx" ON "credit_entries" USING btree ("reference_type","reference_id") WHERE "credit_entries"."kind" = 'spend';--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_undoes_idx" ON "credit_entries" USING btree ("undoes");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_purchase_idx" ON "credit_entries" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_joining_idx" ON "credit_entries" USING btree ("member") WHERE "credit_entries"."kind" = 'joining';--> statement-breakpoint
CREATE INDEX "credit_purchases_member_idx" ON "credit_purchases" USING btree ("member","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "credit_purchases_status_idx" ON "credit_purchases" USING btree ("status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_purchases_payment_idx" ON "credit_purchases" USING btree ("purchase_method","payment_reference");--> statement-breakpoint
CREATE INDEX "credit_purchases_ask_idx" ON "credit_purchases" USING btree ("ask_at") WHERE "credit_purchases"."ask_at" is not null;--> statement-breakpoint

-- What must hold of credits whatever the code does (decision 042).

-- 1. The ledger and the purchases are only ever added to; an account stays, and is nobody's once its person is gone.
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER credit_accounts_stay BEFORE DELETE OR TRUNCATE ON credit_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER credit_purchases_stay BEFORE DELETE OR TRUNCATE ON credit_purchases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER credit_purchases_final BEFORE UPDATE ON credit_purchases FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER credit_purchases_agreed BEFORE UPDATE ON credit_purchases FOR EACH ROW
  WHEN ((OLD.id, OLD.member, OLD.amount_usd, OLD.credits_amount, OLD.amount_xaf, OLD.xaf_from, OLD.purchase_method, OLD.reference, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.member, NEW.amount_usd, NEW.credits_amount, NEW.amount_xaf, NEW.xaf_from, NEW.purchase_method, NEW.reference, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Count, balance and head follow the ledger: only its own trigger, one level below, writes them.
CREATE FUNCTION keep_credit_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number <> OLD.number OR (NEW.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)
    OR (pg_trigger_depth() = 1 AND (NEW.entries, NEW.balance, NEW.head) IS DISTINCT FROM (OLD.entries, OLD.balance, OLD.head)) THEN
    RAISE EXCEPTION 'a credit account follows its ledger' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_accounts_follow BEFORE UPDATE ON credit_accounts FOR EACH ROW EXECUTE FUNCTION keep_credit_account();
--> statement-breakpoint
CREATE FUNCTION begin_credit_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.entries <> 0 OR NEW.balance <> 0 OR NEW.head <> '' THEN
    RAISE EXCEPTION 'a credit account begins empty' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_accounts_begin BEFORE INSERT ON credit_accounts FOR EACH ROW EXECUTE FUNCTION begin_credit_account();
--> statement-breakpoint

-- 2. Each entry follows the one before, in number, balance and hash; a refund gives back a spend, whole, to whoever paid. The lock on the
-- account makes the entries of one member wait for each other.
CREATE FUNCTION append_credit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account record;
BEGIN
  SELECT entries, balance, head INTO account FROM credit_accounts WHERE number = NEW.member FOR UPDATE;
  IF (NEW.serial, NEW.balance, NEW.previous) IS DISTINCT FROM (account.entries + 1, account.balance + NEW.amount, account.head) THEN
    RAISE EXCEPTION 'entry % of member % does not follow entry %', NEW.serial, NEW.member, account.entries
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_entries_follow';
  END IF;
  IF NEW.undoes IS NOT NULL
    AND NOT EXISTS (SELECT FROM credit_entries WHERE id = NEW.undoes AND kind = 'spend' AND member = NEW.member AND amount = -NEW.amount) THEN
    RAISE EXCEPTION 'a refund gives back a spend of the same member' USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_entries_refund_of_spend';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_entries_append BEFORE INSERT ON credit_entries FOR EACH ROW EXECUTE FUNCTION append_credit_entry();
--> statement-breakpoint
CREATE FUNCTION advance_credit_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE credit_accounts SET entries = NEW.serial, balance = NEW.balance, head = NEW.hash WHERE number = NEW.member;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER credit_entries_advance AFTER INSERT ON credit_entries FOR EACH ROW EXECUTE FUNCTION advance_credit_account();
--> statement-breakpoint

-- 3. At commit a completed purchase has its entry, of its credits to its buyer, and no other purchase has one.
CREATE FUNCTION check_purchase_credited(purchase uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  credited boolean;
BEGIN
  SELECT status, member, credits_amount INTO p FROM credit_purchases WHERE id = purchase;
  SELECT EXISTS (SELECT FROM credit_entries WHERE purchase_id = purchase AND member = p.member AND amount = p.credits_amount) INTO credited;
  IF credited <> (p.status = 'completed') THEN
    RAISE EXCEPTION 'purchase % is % and its credits are %', purchase, p.status, CASE WHEN credited THEN 'in the ledger' ELSE 'not in the ledger' END
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_purchase_credited';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION purchase_of_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_purchase_credited(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION purchase_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_purchase_credited(NEW.purchase_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER credit_purchase_credited AFTER INSERT OR UPDATE OF status ON credit_purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchase_of_purchase();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER credit_purchase_credited AFTER INSERT ON credit_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.purchase_id IS NOT NULL) EXECUTE FUNCTION purchase_of_entry();
