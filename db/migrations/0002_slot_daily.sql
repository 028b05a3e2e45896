CREATE TABLE "slot_daily" (
	"day" text NOT NULL,
	"slot_id" smallint NOT NULL,
	"product_id" uuid NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"message_taps" integer DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "slot_daily_day_slot_id_product_id_pk" PRIMARY KEY("day","slot_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "slot_daily" ADD CONSTRAINT "slot_daily_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What was counted before this table existed.
INSERT INTO slot_daily (day, slot_id, product_id, views, clicks, message_taps, shares)
SELECT to_char(occurred_at AT TIME ZONE 'Africa/Douala', 'YYYY-MM-DD'), slot_id, product_id, count(*) FILTER (WHERE type = 'view'),
  count(*) FILTER (WHERE type = 'click'), count(*) FILTER (WHERE type = 'messageTap'), count(*) FILTER (WHERE type = 'share')
FROM engagement_events WHERE rolled_at IS NOT NULL AND slot_id IS NOT NULL GROUP BY 1, 2, 3;
