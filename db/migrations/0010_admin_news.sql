-- News for the admin's lists alone: nothing here is on a public page. `pending` is what waits for review, `person` is who sells.
CREATE FUNCTION announce_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'pending:' || CASE WHEN TG_OP = 'DELETE' THEN OLD.product_id::text ELSE NEW.product_id::text END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_edits_announce AFTER INSERT OR UPDATE OR DELETE ON product_edits FOR EACH ROW EXECUTE FUNCTION announce_edit();
--> statement-breakpoint
-- One that waits and is corrected, withdrawn or removed keeps its status.
CREATE TRIGGER products_reconsidered AFTER UPDATE ON products FOR EACH ROW
  WHEN (OLD.status = 'pending' AND NEW.status = 'pending'
    AND (OLD.updated_at, OLD.withdrawn_at, OLD.removed_at) IS DISTINCT FROM (NEW.updated_at, NEW.withdrawn_at, NEW.removed_at))
  EXECUTE FUNCTION announce('pending');
--> statement-breakpoint
CREATE TRIGGER sellers_come_and_go AFTER INSERT OR DELETE ON sellers FOR EACH ROW EXECUTE FUNCTION announce('person');
--> statement-breakpoint
CREATE TRIGGER sellers_reached AFTER UPDATE ON sellers FOR EACH ROW
  WHEN ((OLD.name, OLD.email, OLD.whatsapp, OLD.location) IS DISTINCT FROM (NEW.name, NEW.email, NEW.whatsapp, NEW.location))
  EXECUTE FUNCTION announce('person');
