CREATE TABLE "alert_hits" (
	"alert_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "alert_hits_alert_id_product_id_pk" PRIMARY KEY("alert_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"seller_id" uuid,
	"query" text DEFAULT '' NOT NULL,
	"pace" text NOT NULL,
	"paused_at" timestamp with time zone,
	"made_at" timestamp with time zone NOT NULL,
	"not_before" timestamp with time zone,
	"words" "tsquery",
	"category" text,
	"condition" text,
	"region_key" text,
	"min" integer,
	"max" integer,
	"premium" boolean,
	"verified" boolean,
	CONSTRAINT "alerts_about_one" CHECK (("alerts"."seller_id" is null) <> ("alerts"."query" = ''))
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "alerted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "unsubscribe" text;--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_hits" ADD CONSTRAINT "alert_hits_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_hits_product_idx" ON "alert_hits" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "alert_hits_untold_idx" ON "alert_hits" USING btree ("alert_id") WHERE "alert_hits"."told_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_search_idx" ON "alerts" USING btree ("user_id","query") WHERE "alerts"."seller_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_shop_idx" ON "alerts" USING btree ("user_id","seller_id");--> statement-breakpoint
CREATE INDEX "alerts_seller_idx" ON "alerts" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "listings_unalerted_idx" ON "listings" USING btree ("started_at") WHERE "listings"."alerted_at" is null and "listings"."ended_at" is null;