-- The whole database in one reading: tables and indexes as db/schema has them (drizzle-kit), then what they cannot say.
CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "backup_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "barred_emails" (
	"email" text PRIMARY KEY NOT NULL,
	"barred_at" timestamp with time zone DEFAULT now() NOT NULL,
	"barred_by" text
);
--> statement-breakpoint
CREATE TABLE "cleanup_runs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"started_by" text NOT NULL,
	"cleaned_products" integer DEFAULT 0 NOT NULL,
	"deleted_images" integer DEFAULT 0 NOT NULL,
	"archived_products" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address_hash" text NOT NULL,
	"product_id" uuid NOT NULL,
	"question" jsonb NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "contact_challenges_answered_once" CHECK (("contact_challenges"."answered_at" is null) = ("contact_challenges"."outcome" is null))
);
--> statement-breakpoint
CREATE TABLE "contact_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"visitor" text NOT NULL,
	"address_hash" text NOT NULL,
	"product_id" uuid NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"newcomer" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engagement_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"slot_id" smallint,
	"product_id" uuid NOT NULL,
	"visitor" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"rolled_at" timestamp with time zone,
	CONSTRAINT "engagement_type_known" CHECK ("engagement_events"."type" in ('view', 'click', 'messageTap', 'share'))
);
--> statement-breakpoint
CREATE TABLE "health_checks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"code" text,
	"params" jsonb,
	"milliseconds" integer,
	CONSTRAINT "health_status_known" CHECK ("health_checks"."status" in ('healthy', 'warning', 'error'))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"outcome" text NOT NULL,
	"detail" jsonb,
	"runs" integer DEFAULT 0 NOT NULL,
	"failures_in_a_row" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel" text NOT NULL,
	"recipient" text NOT NULL,
	"language" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"body_text" text NOT NULL,
	"body_html" text NOT NULL,
	"seller_id" uuid,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"lease" uuid,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"turn" bigserial NOT NULL,
	CONSTRAINT "outbox_sent_stamped" CHECK (("outbox"."state" = 'sent') = ("outbox"."sent_at" is not null)),
	CONSTRAINT "outbox_lease_waits" CHECK ("outbox"."lease" is null or "outbox"."state" = 'waiting')
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"whatsapp" text,
	"location" text,
	"language" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_daily" (
	"product_id" uuid NOT NULL,
	"day" text NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"message_taps" integer DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_edits" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"changes" jsonb NOT NULL,
	"submitted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"slug" text NOT NULL,
	"seller_id" uuid,
	"name" jsonb,
	"description" jsonb,
	"images" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"price" integer,
	"city" text,
	"region" text,
	"seller_location" text,
	"business_name" text,
	"seller_name" text,
	"seller_whatsapp" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"listing_type" text DEFAULT 'standard' NOT NULL,
	"duration_seconds" integer,
	"preferred_featured_slot" smallint,
	"category" text,
	"payment_method" text,
	"listing_fee" integer,
	"fee_state" text,
	"fee_reference" text,
	"fee_marked_at" timestamp with time zone,
	"fee_marked_by" text,
	"approved_at" timestamp with time zone,
	"rejected_at" timestamp with time zone,
	"rejected_reason" text,
	"listing_started_at" timestamp with time zone,
	"listing_ended_at" timestamp with time zone,
	"sold_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	"images_deleted_at" timestamp with time zone,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug"),
	CONSTRAINT "products_fee_reference_unique" UNIQUE("fee_reference"),
	CONSTRAINT "products_status_known" CHECK ("products"."status" in ('pending', 'approved', 'active', 'rejected')),
	CONSTRAINT "products_listing_type_known" CHECK ("products"."listing_type" in ('standard', 'featured')),
	CONSTRAINT "products_name_shape" CHECK ("products"."name" is null or jsonb_typeof("products"."name") in ('object', 'string')),
	CONSTRAINT "products_description_shape" CHECK ("products"."description" is null or jsonb_typeof("products"."description") in ('object', 'string')),
	CONSTRAINT "products_images_list" CHECK (jsonb_typeof("products"."images") = 'array' and jsonb_array_length("products"."images") <= 5),
	CONSTRAINT "products_price_range" CHECK ("products"."price" between 0 and 10000000),
	CONSTRAINT "products_duration_positive" CHECK ("products"."duration_seconds" > 0),
	CONSTRAINT "products_preferred_slot" CHECK ("products"."preferred_featured_slot" is null or ("products"."preferred_featured_slot" between 1 and 10 and "products"."listing_type" = 'featured')),
	CONSTRAINT "products_whatsapp_e164" CHECK ("products"."seller_whatsapp" is null or "products"."seller_whatsapp" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "products_slug_shape" CHECK ("products"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and "products"."slug" <> 'details'),
	CONSTRAINT "products_approved_stamped" CHECK (("products"."status" in ('approved', 'active')) = ("products"."approved_at" is not null)),
	CONSTRAINT "products_rejected_stamped" CHECK (("products"."status" = 'rejected') = ("products"."rejected_at" is not null)),
	CONSTRAINT "products_ended_was_approved" CHECK ("products"."listing_ended_at" is null or "products"."status" in ('approved', 'active')),
	CONSTRAINT "products_gone_is_ended" CHECK ("products"."status" not in ('approved', 'active') or "products"."listing_ended_at" is not null or ("products"."sold_at" is null and "products"."withdrawn_at" is null and "products"."removed_at" is null)),
	CONSTRAINT "products_fee_whole" CHECK (("products"."fee_state" is null) = ("products"."listing_fee" is null) and "products"."listing_fee" >= 0)
);
--> statement-breakpoint
CREATE TABLE "queue_items" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"queue_name" text NOT NULL,
	"priority" smallint DEFAULT 0 NOT NULL,
	"band" smallint NOT NULL,
	"position" bigint NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"remaining_seconds" integer,
	"item_data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_items_product_id_unique" UNIQUE("product_id"),
	CONSTRAINT "queue_name_known" CHECK ("queue_items"."queue_name" in ('queue:featured', 'queue:regular')),
	CONSTRAINT "queue_remaining_positive" CHECK ("queue_items"."remaining_seconds" > 0),
	CONSTRAINT "queue_priority_known" CHECK ("queue_items"."priority" in (0, 1)),
	CONSTRAINT "queue_band_known" CHECK ("queue_items"."band" in (0, 1) and ("queue_items"."priority" = 0 or "queue_items"."band" = 0))
);
--> statement-breakpoint
CREATE TABLE "rate_limit" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL,
	CONSTRAINT "rate_limit_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"slot_id" smallint,
	"reason" text NOT NULL,
	"note" text,
	"visitor" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolved_by" text,
	"resolution" text,
	CONSTRAINT "reports_resolved_whole" CHECK (("reports"."resolved_at" is null) = ("reports"."resolution" is null))
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"whatsapp" text,
	"location" text,
	"business_name" text,
	"verified" boolean DEFAULT false NOT NULL,
	"verified_by" text,
	"verified_at" timestamp with time zone,
	"verified_whatsapp" text,
	"suspended" boolean DEFAULT false NOT NULL,
	"suspended_reason" text,
	"suspended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sellers_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "sellers_suspended_whole" CHECK ("sellers"."suspended" = ("sellers"."suspended_at" is not null) and "sellers"."suspended" = ("sellers"."suspended_reason" is not null)),
	CONSTRAINT "sellers_verified_whole" CHECK ("sellers"."verified" = ("sellers"."verified_by" is not null) and "sellers"."verified" = ("sellers"."verified_at" is not null) and "sellers"."verified" = ("sellers"."verified_whatsapp" is not null)),
	CONSTRAINT "sellers_verified_whatsapp_e164" CHECK ("sellers"."verified_whatsapp" is null or "sellers"."verified_whatsapp" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "sellers_whatsapp_e164" CHECK ("sellers"."whatsapp" is null or "sellers"."whatsapp" ~ '^\+[1-9][0-9]{6,14}$')
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_up_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"sign_up_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
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
CREATE TABLE "slot_engagement" (
	"slot_id" smallint PRIMARY KEY NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"message_taps" integer DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "slots" (
	"id" smallint PRIMARY KEY NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"is_featured" boolean DEFAULT false NOT NULL,
	"product_id" uuid,
	"start_time" timestamp with time zone,
	"end_time" timestamp with time zone,
	"reputation_score" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp with time zone,
	"paused_by" text,
	"remaining_duration" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "slots_product_id_unique" UNIQUE("product_id"),
	CONSTRAINT "slots_numbered" CHECK ("slots"."id" between 1 and 54),
	CONSTRAINT "slots_active_has_product" CHECK ("slots"."active" = ("slots"."product_id" is not null)),
	CONSTRAINT "slots_active_has_start" CHECK ("slots"."active" = ("slots"."start_time" is not null)),
	CONSTRAINT "slots_active_has_end" CHECK ("slots"."active" = ("slots"."end_time" is not null)),
	CONSTRAINT "slots_ends_after_start" CHECK ("slots"."end_time" > "slots"."start_time"),
	CONSTRAINT "slots_paused_whole" CHECK (("slots"."paused_at" is null) = ("slots"."paused_by" is null) and ("slots"."active" or "slots"."paused_at" is null) and ("slots"."paused_at" is not null or "slots"."remaining_duration" is null)),
	CONSTRAINT "slots_remaining_not_negative" CHECK ("slots"."remaining_duration" >= 0)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"owner_id" text,
	"product_id" uuid,
	"image" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'member' NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_codes" ADD CONSTRAINT "backup_codes_user_id_second_factors_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."second_factors"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_challenges" ADD CONSTRAINT "contact_challenges_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_requests" ADD CONSTRAINT "contact_requests_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_daily" ADD CONSTRAINT "product_daily_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_edits" ADD CONSTRAINT "product_edits_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_fee_marked_by_user_id_fk" FOREIGN KEY ("fee_marked_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_items" ADD CONSTRAINT "queue_items_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_resolved_by_user_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_updated_by_user_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_up_links" ADD CONSTRAINT "sign_up_links_sign_up_id_pending_sign_ups_id_fk" FOREIGN KEY ("sign_up_id") REFERENCES "public"."pending_sign_ups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_daily" ADD CONSTRAINT "slot_daily_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_engagement" ADD CONSTRAINT "slot_engagement_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slots" ADD CONSTRAINT "slots_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_user_idx" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_at_idx" ON "audit_log" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_subject_idx" ON "audit_log" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "audit_actor_idx" ON "audit_log" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "audit_queued_again_idx" ON "audit_log" USING btree ("subject_id") WHERE subject_kind = 'product' and action in ('product.requeue', 'queue.restore', 'queue.sync');--> statement-breakpoint
CREATE INDEX "cleanup_started_idx" ON "cleanup_runs" USING btree ("started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contact_challenges_address_idx" ON "contact_challenges" USING btree ("address_hash","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_challenges_product_idx" ON "contact_challenges" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "contact_visitor_idx" ON "contact_requests" USING btree ("visitor","requested_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_address_idx" ON "contact_requests" USING btree ("address_hash","requested_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_product_idx" ON "contact_requests" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "engagement_fresh_idx" ON "engagement_events" USING btree ("id") WHERE "engagement_events"."rolled_at" is null;--> statement-breakpoint
CREATE INDEX "engagement_visitor_idx" ON "engagement_events" USING btree ("visitor","product_id","type","occurred_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "engagement_product_idx" ON "engagement_events" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "health_checked_idx" ON "health_checks" USING btree ("checked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "idempotency_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "outbox_waiting_idx" ON "outbox" USING btree ("channel","next_attempt_at","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_recipient_idx" ON "outbox" USING btree ("channel","recipient","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_seller_idx" ON "outbox" USING btree ("seller_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outbox_created_idx" ON "outbox" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "pending_sign_ups_email_idx" ON "pending_sign_ups" USING btree ("email","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "product_daily_idx" ON "product_daily" USING btree ("product_id","day");--> statement-breakpoint
CREATE INDEX "product_daily_day_idx" ON "product_daily" USING btree ("day");--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "products_status_idx" ON "products" USING btree ("status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "products_ended_idx" ON "products" USING btree ("listing_ended_at");--> statement-breakpoint
CREATE INDEX "products_started_idx" ON "products" USING btree ("listing_started_at");--> statement-breakpoint
CREATE INDEX "products_removed_idx" ON "products" USING btree ("removed_at" DESC NULLS FIRST,"id") WHERE "products"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "products_fee_idx" ON "products" USING btree ("fee_state","created_at" DESC NULLS FIRST,"id") WHERE "products"."removed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "queue_order_idx" ON "queue_items" USING btree ("queue_name","band","position");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_once_idx" ON "reports" USING btree ("product_id","visitor","reason");--> statement-breakpoint
CREATE INDEX "reports_open_idx" ON "reports" USING btree ("created_at" DESC NULLS FIRST) WHERE "reports"."resolved_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_verified_whatsapp_idx" ON "sellers" USING btree ("verified_whatsapp") WHERE "sellers"."verified_whatsapp" is not null;--> statement-breakpoint
CREATE INDEX "sellers_created_idx" ON "sellers" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sellers_suspended_idx" ON "sellers" USING btree ("id") WHERE "sellers"."suspended";--> statement-breakpoint
CREATE INDEX "session_user_idx" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_links_user_idx" ON "sign_in_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_up_links_email_idx" ON "sign_up_links" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_up_links_sign_up_idx" ON "sign_up_links" USING btree ("sign_up_id");--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_key_idx" ON "uploads" USING btree ("key");--> statement-breakpoint
CREATE INDEX "uploads_product_idx" ON "uploads" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "uploads_owner_idx" ON "uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "verification_identifier_idx" ON "verification" USING btree ("identifier");
--> statement-breakpoint

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
  WHEN ((OLD.verified, OLD.verified_by, OLD.verified_whatsapp, OLD.whatsapp, OLD.suspended, OLD.business_name)
    IS DISTINCT FROM (NEW.verified, NEW.verified_by, NEW.verified_whatsapp, NEW.whatsapp, NEW.suspended, NEW.business_name))
  EXECUTE FUNCTION announce('seller');
--> statement-breakpoint
-- The badge goes by the number of the listing, so a change of it is news. The news itself holds no number.
CREATE TRIGGER products_renumbered AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.status IN ('approved', 'active') AND OLD.seller_whatsapp IS DISTINCT FROM NEW.seller_whatsapp)
  EXECUTE FUNCTION announce('product');
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
--> statement-breakpoint
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
--> statement-breakpoint

-- An admin's open line ends with the session that opened it, and with the role: every process looks again when it hears this.
CREATE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'session' THEN
    IF NOT EXISTS (SELECT FROM "user" WHERE id = OLD.user_id AND role = 'admin') THEN RETURN NULL; END IF;
  END IF;
  PERFORM pg_notify('market', 'access:ended');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_ended AFTER DELETE ON "session" FOR EACH ROW EXECUTE FUNCTION announce_access();
--> statement-breakpoint
CREATE TRIGGER admin_demoted AFTER UPDATE OF role ON "user" FOR EACH ROW WHEN (OLD.role = 'admin' AND NEW.role <> 'admin') EXECUTE FUNCTION announce_access();
--> statement-breakpoint
CREATE TRIGGER admin_deleted AFTER DELETE ON "user" FOR EACH ROW WHEN (OLD.role = 'admin') EXECUTE FUNCTION announce_access();
--> statement-breakpoint

-- 5. Indexes that the schema cannot say.
-- The search for sellers by part of a name or address (product §2 /admin/users) over trigrams. Only a matter of speed, so a server
-- without the extension, or whose owner may not create it, goes on without: the search then reads the table.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX sellers_name_trgm_idx ON sellers USING gin (name gin_trgm_ops);
  CREATE INDEX sellers_email_trgm_idx ON sellers USING gin (email gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'The search for sellers goes without an index: %', SQLERRM;
END $$;
--> statement-breakpoint
-- What get_incomplete_products lists, and nothing else: its condition, word for word (api/products/integrity/integrity.ts).
CREATE INDEX products_incomplete_idx ON products (created_at DESC, id) WHERE ("removed_at" is null and "withdrawn_at" is null and "listing_ended_at" is null and "images_deleted_at" is null
  AND (char_length(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("name") = 'object' then "name" ->> 'en' else "name" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 3::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 3::int
  OR char_length(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int)) + char_length(regexp_replace(left(btrim(coalesce((case when jsonb_typeof("description") = 'object' then "description" ->> 'en' else "description" #>> '{}' end), ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'), 10::int), '[^\U00010000-\U0010FFFF]', '', 'g')) < 10::int
  OR jsonb_array_length("images") = 0
  OR coalesce("price", 0) < 100
  OR "duration_seconds" is null
  OR "category" is null
  OR btrim(coalesce("seller_name", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = ''
  OR coalesce("seller_whatsapp", '') = ''
  OR (btrim(coalesce("seller_location", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '' and btrim(coalesce("city", ''), E'\t\n\x0b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') = '')
  OR "payment_method" is null));
