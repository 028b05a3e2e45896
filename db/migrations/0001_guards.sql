-- What must hold whatever the code does (architecture: "what must always hold, Postgres holds too").

-- 1. Exactly the slots 1-54: made here, never deleted. The primary key and the range check stop a fifty-fifth.
INSERT INTO slots (id, is_featured) SELECT n, n <= 10 FROM generate_series(1, 54) AS n;
--> statement-breakpoint
INSERT INTO slot_engagement (slot_id) SELECT id FROM slots;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER slots_stay BEFORE DELETE OR TRUNCATE ON slots FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION refuse_renumbering() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id THEN
    RAISE EXCEPTION 'a slot keeps its number' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER slots_keep_number BEFORE UPDATE OF id ON slots FOR EACH ROW EXECUTE FUNCTION refuse_renumbering();
--> statement-breakpoint

-- 2. The audit log is only ever added to. The one exception, the foreign key's SET NULL, does not exist: actors are kept by text.
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- 3. An approved product is in exactly one of queue, slot and ended; any other product is in neither queue nor slot.
-- Checked at commit. The row lock makes two transactions that place one product look at it one after the other; under READ
-- COMMITTED each statement below sees what the first of them committed.
CREATE FUNCTION check_product_place(product uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  places integer;
BEGIN
  SELECT status, listing_ended_at INTO p FROM products WHERE id = product FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT (SELECT count(*) FROM slots WHERE product_id = product) + (SELECT count(*) FROM queue_items WHERE product_id = product) INTO places;
  IF p.status IN ('approved', 'active') THEN
    places := places + (p.listing_ended_at IS NOT NULL)::integer;
    IF places <> 1 THEN
      RAISE EXCEPTION 'approved product % is in % of queue, slot and ended, not in one', product, places
        USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
    END IF;
  ELSIF places <> 0 THEN
    RAISE EXCEPTION 'product % is % but in a queue or slot', product, p.status USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION product_place_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_product_place(NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION product_place_of_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.product_id IS NOT NULL THEN PERFORM check_product_place(OLD.product_id); END IF;
  IF TG_OP <> 'DELETE' AND NEW.product_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.product_id IS DISTINCT FROM OLD.product_id) THEN
    PERFORM check_product_place(NEW.product_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR UPDATE OF status, listing_ended_at ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_product();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR DELETE OR UPDATE OF product_id ON queue_items
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_reference();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_place AFTER UPDATE OF product_id ON slots
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_reference();
--> statement-breakpoint

-- 4. News for open pages and for stored HTML, on the columns that pages show and no others: a counter must throw nothing away.
-- Payload: kind, a colon, and the id. Postgres folds equal payloads of one transaction into one.
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', TG_ARGV[0] || ':' || CASE WHEN TG_OP = 'DELETE' THEN OLD.id::text ELSE NEW.id::text END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER slots_announce AFTER UPDATE ON slots FOR EACH ROW
  WHEN ((OLD.active, OLD.is_featured, OLD.product_id, OLD.start_time, OLD.end_time, OLD.paused_at, OLD.reputation_score)
    IS DISTINCT FROM (NEW.active, NEW.is_featured, NEW.product_id, NEW.start_time, NEW.end_time, NEW.paused_at, NEW.reputation_score))
  EXECUTE FUNCTION announce('slot');
--> statement-breakpoint
CREATE TRIGGER products_announce AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.status IN ('approved', 'active')
    AND (OLD.name, OLD.description, OLD.images, OLD.price, OLD.city, OLD.region, OLD.business_name, OLD.category, OLD.slug, OLD.status,
         OLD.listing_ended_at, OLD.sold_at, OLD.removed_at)
    IS DISTINCT FROM (NEW.name, NEW.description, NEW.images, NEW.price, NEW.city, NEW.region, NEW.business_name, NEW.category, NEW.slug, NEW.status,
         NEW.listing_ended_at, NEW.sold_at, NEW.removed_at))
  EXECUTE FUNCTION announce('product');
--> statement-breakpoint
CREATE TRIGGER products_arrive AFTER INSERT ON products FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION announce('pending');
--> statement-breakpoint
CREATE TRIGGER products_decided AFTER UPDATE OF status ON products FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION announce('pending');
--> statement-breakpoint
CREATE TRIGGER sellers_announce AFTER UPDATE ON sellers FOR EACH ROW
  WHEN ((OLD.verified, OLD.verified_by, OLD.suspended, OLD.business_name) IS DISTINCT FROM (NEW.verified, NEW.verified_by, NEW.suspended, NEW.business_name))
  EXECUTE FUNCTION announce('seller');
--> statement-breakpoint
CREATE FUNCTION announce_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'settings:' || NEW.key);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER settings_announce AFTER INSERT OR UPDATE ON settings FOR EACH ROW EXECUTE FUNCTION announce_settings();
--> statement-breakpoint
CREATE FUNCTION announce_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'queue:changed');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER queue_announce AFTER INSERT OR UPDATE OR DELETE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION announce_queue();
--> statement-breakpoint
CREATE FUNCTION announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', 'waiting');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER outbox_announce AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox();
