-- The same sum as in 0005, in a language that keeps its plan: in SQL it was planned anew for every place that somebody looked up, which
-- cost more than the sum.
CREATE OR REPLACE FUNCTION queue_ahead(lane text, at_band smallint, at_position bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 2 AND band < at_band), 0)
    + coalesce((SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 2 AND band = at_band AND stretch < (at_position >> 28)), 0)
    + coalesce((SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 1 AND band = at_band
      AND stretch >= ((at_position >> 28) << 6) AND stretch < (at_position >> 22)), 0)
    + coalesce((SELECT sum(items) FROM queue_stretches WHERE queue_name = lane AND level = 0 AND band = at_band
      AND stretch >= ((at_position >> 22) << 6) AND stretch < (at_position >> 16)), 0)
    + (SELECT count(*) FROM queue_items WHERE queue_name = lane AND band = at_band AND position >= ((at_position >> 16) << 16) AND position < at_position);
END $$;
