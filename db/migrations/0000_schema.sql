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
CREATE TABLE "alarms" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"began_at" timestamp with time zone,
	"clear_since" timestamp with time zone,
	"over_at" timestamp with time zone,
	"figures" jsonb NOT NULL,
	CONSTRAINT "alarms_kind_known" CHECK ("alarms"."kind" in ('backupFailed', 'backupOld', 'ruleBroken', 'diskFull', 'healthRed', 'deliveryFailed', 'harvest')),
	CONSTRAINT "alarms_over_began" CHECK ("alarms"."over_at" is null or "alarms"."began_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"via" text DEFAULT 'web' NOT NULL,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text,
	"subject_name" jsonb,
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
CREATE TABLE "chat_channels" (
	"transport" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"state" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"failure" text,
	"pairing" text,
	CONSTRAINT "chat_channels_pairing" CHECK ("chat_channels"."pairing" is null or "chat_channels"."state" = 'pairing')
);
--> statement-breakpoint
CREATE TABLE "chat_link_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "chat_link_codes_hashed" CHECK ("chat_link_codes"."code_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "chat_updates" (
	"turn" bigserial PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"update_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"sealed" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"lease" uuid,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chat_updates_sealed_while_waiting" CHECK (("chat_updates"."state" = 'waiting') = ("chat_updates"."sealed" is not null))
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"transport" text NOT NULL,
	"key_hash" text NOT NULL,
	"sealed_address" text NOT NULL,
	"user_id" text,
	"language" text,
	"linked_at" timestamp with time zone,
	"state" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"notices" boolean DEFAULT true NOT NULL,
	"blocked_at" timestamp with time zone,
	"wrote_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "chats_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "chats_key_hashed" CHECK ("chats"."key_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "chats_linked_stamped" CHECK ("chats"."user_id" is null or "chats"."linked_at" is not null)
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
CREATE TABLE "connect_figures" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"views" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connect_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"category" text NOT NULL,
	"location" text,
	"city" text,
	"region" text,
	"budget_min" numeric(12, 2),
	"budget_max" numeric(12, 2),
	"contact_whatsapp" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"hidden_at" timestamp with time zone,
	"hidden_reason" text,
	"hidden_by" text,
	"left_at" timestamp with time zone,
	"words" text NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', words) || to_tsvector('french', words) || to_tsvector('simple', words)) STORED NOT NULL,
	CONSTRAINT "connect_posts_reference_unique" UNIQUE("reference"),
	CONSTRAINT "connect_posts_reference_readable" CHECK ("connect_posts"."reference" ~ '^[a-hjkmnp-z2-9]{8}$'),
	CONSTRAINT "connect_posts_category_known" CHECK ("connect_posts"."category" in ('services_home', 'services_business', 'transportation', 'delivery', 'repairs', 'cleaning', 'events', 'other')),
	CONSTRAINT "connect_posts_status_known" CHECK ("connect_posts"."status" in ('active', 'closed')),
	CONSTRAINT "connect_posts_budget_ordered" CHECK ("connect_posts"."budget_min" >= 0 and "connect_posts"."budget_max" >= 0 and "connect_posts"."budget_min" <= "connect_posts"."budget_max"),
	CONSTRAINT "connect_posts_whatsapp_e164" CHECK ("connect_posts"."contact_whatsapp" is null or "connect_posts"."contact_whatsapp" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "connect_posts_hidden_whole" CHECK (("connect_posts"."hidden_at" is null) = ("connect_posts"."hidden_reason" is null) and ("connect_posts"."hidden_at" is not null or "connect_posts"."hidden_by" is null)),
	CONSTRAINT "connect_posts_left_closed" CHECK ("connect_posts"."left_at" is null or "connect_posts"."status" = 'closed')
);
--> statement-breakpoint
CREATE TABLE "connect_reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"post_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"visitor" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolved_by" text,
	"resolution" text,
	CONSTRAINT "connect_reports_reason_known" CHECK ("connect_reports"."reason" in ('fraud', 'forbidden', 'number', 'other')),
	CONSTRAINT "connect_reports_resolved_whole" CHECK (("connect_reports"."resolved_at" is null) = ("connect_reports"."resolution" is null))
);
--> statement-breakpoint
CREATE TABLE "connect_responses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post_id" uuid NOT NULL,
	"user_id" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connect_updates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post_id" uuid NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	CONSTRAINT "connect_updates_type_known" CHECK ("connect_updates"."type" in ('note', 'progress', 'found', 'closing'))
);
--> statement-breakpoint
CREATE TABLE "connect_views" (
	"post_id" uuid NOT NULL,
	"visitor" text NOT NULL,
	"viewed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "connect_views_post_id_visitor_pk" PRIMARY KEY("post_id","visitor")
);
--> statement-breakpoint
CREATE TABLE "contact_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address_hash" text NOT NULL,
	"visitor" text NOT NULL,
	"looked" boolean NOT NULL,
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
	"newcomer" boolean DEFAULT false NOT NULL,
	"looked" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
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
	"payment_key" text,
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
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"session_id" text NOT NULL,
	"link_hash" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"link_expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"take_back_hash" text,
	"held_until" timestamp with time zone,
	"taken_back_at" timestamp with time zone,
	CONSTRAINT "email_changes_whole" CHECK (("email_changes"."confirmed_at" is null) = ("email_changes"."take_back_hash" is null) and ("email_changes"."confirmed_at" is null) = ("email_changes"."held_until" is null) and ("email_changes"."taken_back_at" is null or "email_changes"."confirmed_at" is not null)),
	CONSTRAINT "email_changes_hashed" CHECK ("email_changes"."link_hash" ~ '^[0-9a-f]{64}$' and ("email_changes"."take_back_hash" is null or "email_changes"."take_back_hash" ~ '^[0-9a-f]{64}$'))
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
CREATE TABLE "kept_fees" (
	"listing_id" uuid PRIMARY KEY NOT NULL,
	"person" text,
	"opened_at" timestamp with time zone NOT NULL,
	"fee" integer NOT NULL,
	"fee_state" text NOT NULL,
	"fee_reference" text,
	"fee_marked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"slot_id" smallint,
	"started_at" timestamp with time zone,
	"duration_seconds" integer,
	"end_told" timestamp with time zone,
	"again_asked" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ended_by" text,
	"removed_place" jsonb,
	"fee" integer,
	"fee_state" text,
	"fee_reference" text,
	"fee_marked_at" timestamp with time zone,
	"fee_marked_by" text,
	CONSTRAINT "listings_fee_reference_unique" UNIQUE("fee_reference"),
	CONSTRAINT "listings_numbered" CHECK ("listings"."number" > 0),
	CONSTRAINT "listings_started_whole" CHECK (("listings"."started_at" is null) = ("listings"."duration_seconds" is null) and ("listings"."slot_id" is null or "listings"."started_at" is not null)),
	CONSTRAINT "listings_duration_positive" CHECK ("listings"."duration_seconds" > 0),
	CONSTRAINT "listings_end_reason_known" CHECK ("listings"."end_reason" in ('time', 'stopped', 'withdrawn', 'sold', 'removed', 'reported', 'sellerDeleted', 'left')),
	CONSTRAINT "listings_ended_whole" CHECK (("listings"."ended_at" is null) = ("listings"."end_reason" is null) and ("listings"."ended_at" is not null or "listings"."ended_by" is null)),
	CONSTRAINT "listings_removed_ended" CHECK ("listings"."removed_place" is null or "listings"."ended_at" is not null),
	CONSTRAINT "listings_fee_state_known" CHECK ("listings"."fee_state" in ('due', 'paid', 'waived', 'refunded')),
	CONSTRAINT "listings_fee_whole" CHECK (("listings"."fee_state" is null) = ("listings"."fee" is null) and "listings"."fee" >= 0 and ("listings"."fee" is not null or "listings"."fee_reference" is null)),
	CONSTRAINT "listings_fee_marked" CHECK ((coalesce("listings"."fee_state", 'due') = 'due') = ("listings"."fee_marked_at" is null) and ("listings"."fee_marked_at" is not null or "listings"."fee_marked_by" is null))
);
--> statement-breakpoint
CREATE TABLE "notifications_off" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "notifications_off_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "number_takings" (
	"number_key" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "number_takings_hashed" CHECK ("number_takings"."number_key" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "outages" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"given_seconds" integer NOT NULL,
	"rest_seconds" integer DEFAULT 0 NOT NULL,
	"decision" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"shares" jsonb NOT NULL,
	CONSTRAINT "outages_lasted" CHECK ("outages"."until_at" > "outages"."from_at" and "outages"."given_seconds" > 0 and "outages"."rest_seconds" >= 0),
	CONSTRAINT "outages_decision_known" CHECK ("outages"."decision" in ('waiting', 'given', 'declined')),
	CONSTRAINT "outages_decision_whole" CHECK (("outages"."rest_seconds" > 0) = ("outages"."decision" is not null)),
	CONSTRAINT "outages_decided_whole" CHECK ((coalesce("outages"."decision", 'waiting') <> 'waiting') = ("outages"."decided_at" is not null))
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
	"sealed" text,
	"user_id" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"lease" uuid,
	"last_error" text,
	"fault" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"turn" bigserial NOT NULL,
	CONSTRAINT "outbox_sent_stamped" CHECK (("outbox"."state" = 'sent') = ("outbox"."sent_at" is not null)),
	CONSTRAINT "outbox_lease_waits" CHECK ("outbox"."lease" is null or "outbox"."state" = 'waiting'),
	CONSTRAINT "outbox_chat_hashed" CHECK ("outbox"."channel" = 'email' or "outbox"."recipient" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "outbox_sealed_in_chats" CHECK ("outbox"."sealed" is null or "outbox"."channel" <> 'email')
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
	"selling" boolean DEFAULT true NOT NULL,
	"next" text,
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
CREATE TABLE "product_drafts" (
	"user_id" text PRIMARY KEY NOT NULL,
	"key" uuid NOT NULL,
	"answers" jsonb NOT NULL,
	"photos" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "product_drafts_photos" CHECK (jsonb_typeof("product_drafts"."photos") = 'array' and jsonb_array_length("product_drafts"."photos") <= 5)
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
	"approved_at" timestamp with time zone,
	"rejected_at" timestamp with time zone,
	"rejected_reason" text,
	"sold_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	"images_deleted_at" timestamp with time zone,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug"),
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
	CONSTRAINT "products_rejected_stamped" CHECK (("products"."status" = 'rejected') = ("products"."rejected_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "pulse" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pulse_one_row" CHECK ("pulse"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "queue_entries" (
	"queue_name" text NOT NULL,
	"serial" integer NOT NULL,
	"act" text NOT NULL,
	"reason" text NOT NULL,
	"product_id" uuid,
	"from_band" smallint,
	"from_position" bigint,
	"to_band" smallint,
	"to_position" bigint,
	"line" uuid[],
	"front" integer,
	"actor_kind" text NOT NULL,
	"actor_code" text,
	"at" timestamp with time zone NOT NULL,
	"previous" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "queue_entries_queue_name_serial_pk" PRIMARY KEY("queue_name","serial"),
	CONSTRAINT "queue_entries_act_known" CHECK ("queue_entries"."act" in ('enter', 'move', 'leave', 'order', 'hold', 'release')),
	CONSTRAINT "queue_entries_reason_known" CHECK ("queue_entries"."reason" in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'passed', 'turn', 'byHand', 'withdrawn', 'sold', 'removed', 'reported', 'sellerDeleted', 'left', 'stopped', 'time', 'opened', 'rebuilt', 'room', 'suspended', 'unsuspended')),
	CONSTRAINT "queue_entries_order_whole" CHECK (("queue_entries"."act" = 'order') = ("queue_entries"."product_id" is null) and ("queue_entries"."act" = 'order') = ("queue_entries"."line" is not null and "queue_entries"."front" is not null)),
	CONSTRAINT "queue_entries_from_whole" CHECK (("queue_entries"."from_band" is null) = ("queue_entries"."from_position" is null) and ("queue_entries"."act" in ('enter', 'order', 'release')) = ("queue_entries"."from_band" is null)),
	CONSTRAINT "queue_entries_to_whole" CHECK (("queue_entries"."to_band" is null) = ("queue_entries"."to_position" is null) and ("queue_entries"."act" in ('leave', 'order', 'hold')) = ("queue_entries"."to_band" is null)),
	CONSTRAINT "queue_entries_hashed" CHECK ("queue_entries"."hash" ~ '^[0-9a-f]{64}$' and ("queue_entries"."serial" = 1) = ("queue_entries"."previous" = ''))
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
	"moves" integer DEFAULT 0 NOT NULL,
	"item_data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queue_items_product_id_unique" UNIQUE("product_id"),
	CONSTRAINT "queue_order" UNIQUE("queue_name","band","position") DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT "queue_name_known" CHECK ("queue_items"."queue_name" in ('queue:featured', 'queue:regular')),
	CONSTRAINT "queue_remaining_positive" CHECK ("queue_items"."remaining_seconds" > 0),
	CONSTRAINT "queue_priority_known" CHECK ("queue_items"."priority" in (0, 1)),
	CONSTRAINT "queue_band_known" CHECK ("queue_items"."band" in (0, 1) and ("queue_items"."priority" = 0 or "queue_items"."band" = 0))
);
--> statement-breakpoint
CREATE TABLE "queue_logs" (
	"queue_name" text PRIMARY KEY NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"head" text DEFAULT '' NOT NULL,
	"told" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limit" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"hits" bigint[] DEFAULT '{}' NOT NULL,
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
	"email" text,
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
	"leaving_at" timestamp with time zone,
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
	"next" text,
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
	"leaving_at" timestamp with time zone,
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
ALTER TABLE "chat_link_codes" ADD CONSTRAINT "chat_link_codes_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_updates" ADD CONSTRAINT "chat_updates_key_hash_chats_key_hash_fk" FOREIGN KEY ("key_hash") REFERENCES "public"."chats"("key_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_figures" ADD CONSTRAINT "connect_figures_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_hidden_by_user_id_fk" FOREIGN KEY ("hidden_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_reports" ADD CONSTRAINT "connect_reports_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_reports" ADD CONSTRAINT "connect_reports_resolved_by_user_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_responses" ADD CONSTRAINT "connect_responses_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_responses" ADD CONSTRAINT "connect_responses_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_updates" ADD CONSTRAINT "connect_updates_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_views" ADD CONSTRAINT "connect_views_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_challenges" ADD CONSTRAINT "contact_challenges_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_requests" ADD CONSTRAINT "contact_requests_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_member_credit_accounts_number_fk" FOREIGN KEY ("member") REFERENCES "public"."credit_accounts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_undoes_credit_entries_id_fk" FOREIGN KEY ("undoes") REFERENCES "public"."credit_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_purchase_id_credit_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."credit_purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_purchases" ADD CONSTRAINT "credit_purchases_member_credit_accounts_number_fk" FOREIGN KEY ("member") REFERENCES "public"."credit_accounts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_events" ADD CONSTRAINT "engagement_events_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_slot_id_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_ended_by_user_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_fee_marked_by_user_id_fk" FOREIGN KEY ("fee_marked_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications_off" ADD CONSTRAINT "notifications_off_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outages" ADD CONSTRAINT "outages_decided_by_user_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_daily" ADD CONSTRAINT "product_daily_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_drafts" ADD CONSTRAINT "product_drafts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_edits" ADD CONSTRAINT "product_edits_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_created_by_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_queue_name_queue_logs_queue_name_fk" FOREIGN KEY ("queue_name") REFERENCES "public"."queue_logs"("queue_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
CREATE UNIQUE INDEX "account_provider_idx" ON "account" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_open_idx" ON "alarms" USING btree ("kind","subject") WHERE "alarms"."over_at" is null;--> statement-breakpoint
CREATE INDEX "alarms_over_idx" ON "alarms" USING btree ("over_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_at_idx" ON "audit_log" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_subject_idx" ON "audit_log" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "audit_actor_idx" ON "audit_log" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "chat_link_codes_user_idx" ON "chat_link_codes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_updates_once_idx" ON "chat_updates" USING btree ("transport","update_id");--> statement-breakpoint
CREATE INDEX "chat_updates_waiting_idx" ON "chat_updates" USING btree ("next_attempt_at","turn") WHERE "chat_updates"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_updates_chat_idx" ON "chat_updates" USING btree ("key_hash","turn") WHERE "chat_updates"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_updates_received_idx" ON "chat_updates" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "chats_user_idx" ON "chats" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "cleanup_started_idx" ON "cleanup_runs" USING btree ("started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "connect_posts_feed_idx" ON "connect_posts" USING btree ("updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "connect_posts"."status" = 'active' and "connect_posts"."hidden_at" is null;--> statement-breakpoint
CREATE INDEX "connect_posts_category_idx" ON "connect_posts" USING btree ("category","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "connect_posts"."status" = 'active' and "connect_posts"."hidden_at" is null;--> statement-breakpoint
CREATE INDEX "connect_posts_owner_idx" ON "connect_posts" USING btree ("user_id","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "connect_posts_search_idx" ON "connect_posts" USING gin ("search");--> statement-breakpoint
CREATE UNIQUE INDEX "connect_reports_once_idx" ON "connect_reports" USING btree ("post_id","visitor","reason");--> statement-breakpoint
CREATE INDEX "connect_reports_open_idx" ON "connect_reports" USING btree ("created_at" DESC NULLS FIRST) WHERE "connect_reports"."resolved_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connect_responses_once_idx" ON "connect_responses" USING btree ("post_id","user_id");--> statement-breakpoint
CREATE INDEX "connect_responses_post_idx" ON "connect_responses" USING btree ("post_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "connect_responses_user_idx" ON "connect_responses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "connect_updates_post_idx" ON "connect_updates" USING btree ("post_id","timestamp" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "connect_views_viewed_idx" ON "connect_views" USING btree ("viewed_at");--> statement-breakpoint
CREATE INDEX "contact_challenges_address_idx" ON "contact_challenges" USING btree ("address_hash","looked","outcome","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_challenges_visitor_idx" ON "contact_challenges" USING btree ("visitor","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_challenges_product_idx" ON "contact_challenges" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "contact_visitor_idx" ON "contact_requests" USING btree ("visitor","requested_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_address_idx" ON "contact_requests" USING btree ("address_hash","requested_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_product_idx" ON "contact_requests" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_serial_idx" ON "credit_entries" USING btree ("member","serial");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_spend_idx" ON "credit_entries" USING btree ("reference_type","reference_id") WHERE "credit_entries"."kind" = 'spend';--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_undoes_idx" ON "credit_entries" USING btree ("undoes");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_purchase_idx" ON "credit_entries" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_joining_idx" ON "credit_entries" USING btree ("member") WHERE "credit_entries"."kind" = 'joining';--> statement-breakpoint
CREATE INDEX "credit_purchases_member_idx" ON "credit_purchases" USING btree ("member","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "credit_purchases_status_idx" ON "credit_purchases" USING btree ("status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_purchases_payment_idx" ON "credit_purchases" USING btree ("purchase_method","payment_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_purchases_payment_key_idx" ON "credit_purchases" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "credit_purchases_ask_idx" ON "credit_purchases" USING btree ("ask_at") WHERE "credit_purchases"."ask_at" is not null;--> statement-breakpoint
CREATE INDEX "data_exports_user_idx" ON "data_exports" USING btree ("user_id","asked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_pending_idx" ON "email_changes" USING btree ("user_id") WHERE "email_changes"."confirmed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_link_idx" ON "email_changes" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_take_back_idx" ON "email_changes" USING btree ("take_back_hash");--> statement-breakpoint
CREATE INDEX "email_changes_user_idx" ON "email_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_changes_old_idx" ON "email_changes" USING btree ("old_email") WHERE "email_changes"."confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "engagement_fresh_idx" ON "engagement_events" USING btree ("id") WHERE "engagement_events"."rolled_at" is null;--> statement-breakpoint
CREATE INDEX "engagement_visitor_idx" ON "engagement_events" USING btree ("visitor","product_id","type","occurred_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "engagement_product_idx" ON "engagement_events" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "health_checked_idx" ON "health_checks" USING btree ("checked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "idempotency_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "kept_fees_state_idx" ON "kept_fees" USING btree ("fee_state");--> statement-breakpoint
CREATE UNIQUE INDEX "listings_number_idx" ON "listings" USING btree ("product_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "listings_open_idx" ON "listings" USING btree ("product_id") WHERE "listings"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "listings_slot_idx" ON "listings" USING btree ("slot_id") WHERE "listings"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "listings_started_idx" ON "listings" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "listings_ended_idx" ON "listings" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "listings_fee_idx" ON "listings" USING btree ("fee_state","opened_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "outages_waiting_idx" ON "outages" USING btree ("id") WHERE "outages"."decision" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_waiting_idx" ON "outbox" USING btree ("channel","next_attempt_at","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_recipient_idx" ON "outbox" USING btree ("channel","recipient","turn") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_user_idx" ON "outbox" USING btree ("user_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outbox_failed_idx" ON "outbox" USING btree ("created_at") WHERE "outbox"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "outbox_created_idx" ON "outbox" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "pending_sign_ups_email_idx" ON "pending_sign_ups" USING btree ("email","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "product_daily_idx" ON "product_daily" USING btree ("product_id","day");--> statement-breakpoint
CREATE INDEX "product_daily_day_idx" ON "product_daily" USING btree ("day");--> statement-breakpoint
CREATE INDEX "product_drafts_updated_idx" ON "product_drafts" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "products_status_idx" ON "products" USING btree ("status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "products_removed_idx" ON "products" USING btree ("removed_at" DESC NULLS FIRST,"id") WHERE "products"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "queue_entries_product_idx" ON "queue_entries" USING btree ("product_id","serial");--> statement-breakpoint
CREATE INDEX "queue_entries_order_idx" ON "queue_entries" USING btree ("queue_name","serial") WHERE "queue_entries"."act" = 'order';--> statement-breakpoint
CREATE INDEX "queue_entries_ahead_idx" ON "queue_entries" USING btree ("queue_name","serial") WHERE ("queue_entries"."act" in ('move', 'leave', 'release') or "queue_entries"."to_band" = 0 or "queue_entries"."reason" = 'restored') and reason in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'byHand', 'unsuspended');--> statement-breakpoint
CREATE UNIQUE INDEX "queue_entries_hash_idx" ON "queue_entries" USING btree ("hash");--> statement-breakpoint
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
CREATE INDEX "user_leaving_idx" ON "user" USING btree ("leaving_at") WHERE "user"."leaving_at" is not null;--> statement-breakpoint
CREATE INDEX "verification_identifier_idx" ON "verification" USING btree ("identifier");
--> statement-breakpoint

-- Slots 1-54 exist from the start. They can be neither deleted nor renumbered.
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

CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR DELETE OR UPDATE OF product_id ON queue_items
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_reference();
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER product_place AFTER UPDATE OF product_id ON slots
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_reference();
--> statement-breakpoint

-- The payload is the kind, a colon and the id. Postgres folds equal ones.
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

CREATE TRIGGER products_arrive AFTER INSERT ON products FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION announce('pending');
--> statement-breakpoint

CREATE TRIGGER products_decided AFTER UPDATE OF status ON products FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION announce('pending');
--> statement-breakpoint

-- The badge depends on the number of the listing. The payload holds no number.
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

-- For lists of admins: `pending` waits for review, `person` is a seller.
CREATE FUNCTION announce_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'pending:' || CASE WHEN TG_OP = 'DELETE' THEN OLD.product_id::text ELSE NEW.product_id::text END);
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE TRIGGER product_edits_announce AFTER INSERT OR UPDATE OR DELETE ON product_edits FOR EACH ROW EXECUTE FUNCTION announce_edit();
--> statement-breakpoint

-- A pending product that is corrected, withdrawn or removed keeps its status.
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

-- Every process ends the streams of a lost session or admin role.
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

-- Indexes for the search for sellers. They need an extension that a server may lack.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX sellers_name_trgm_idx ON sellers USING gin (name gin_trgm_ops);
  CREATE INDEX sellers_email_trgm_idx ON sellers USING gin (email gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'The search for sellers goes without an index: %', SQLERRM;
END $$;
--> statement-breakpoint

-- An approved product with an open listing is in exactly one of queue and slot, others in neither
-- (decision 031). Checked at commit; the row lock orders transactions that place one product.
CREATE OR REPLACE FUNCTION check_product_place(product uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p record;
  l record;
  held smallint;
  queued integer;
  places integer;
BEGIN
  SELECT status, sold_at IS NOT NULL OR withdrawn_at IS NOT NULL OR removed_at IS NOT NULL AS gone INTO p FROM products WHERE id = product FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT count(*) AS listed, count(*) FILTER (WHERE ended_at IS NULL) AS open, max(slot_id) FILTER (WHERE ended_at IS NULL) AS slot
    INTO l FROM listings WHERE product_id = product;
  SELECT id INTO held FROM slots WHERE product_id = product;
  SELECT count(*) INTO queued FROM queue_items WHERE product_id = product;
  places := (held IS NOT NULL)::integer + queued;
  IF p.status IN ('approved', 'active') THEN
    IF l.listed = 0 OR places <> l.open THEN
      RAISE EXCEPTION 'approved product % has % listings, % of them open, and is in % of queue and slot', product, l.listed, l.open, places
        USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
    END IF;
    IF l.open > 0 AND p.gone THEN
      RAISE EXCEPTION 'product % is gone but its listing goes on', product USING ERRCODE = 'check_violation', CONSTRAINT = 'product_gone_is_ended';
    END IF;
  ELSIF places <> 0 THEN
    RAISE EXCEPTION 'product % is % but in a queue or slot', product, p.status USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
  ELSIF l.listed > 0 AND l.open = 0 THEN
    RAISE EXCEPTION 'product % is % but its listing has ended', product, p.status USING ERRCODE = 'check_violation', CONSTRAINT = 'product_ended_was_approved';
  END IF;
  IF l.slot IS DISTINCT FROM held THEN
    RAISE EXCEPTION 'product % is in slot % and its listing in %', product, held, l.slot USING ERRCODE = 'check_violation', CONSTRAINT = 'product_place';
  END IF;
END $$;
--> statement-breakpoint

CREATE FUNCTION product_place_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM check_product_place(OLD.product_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.product_id <> OLD.product_id) THEN PERFORM check_product_place(NEW.product_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR UPDATE OF status, sold_at, withdrawn_at, removed_at ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_product();
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER product_place AFTER INSERT OR DELETE OR UPDATE OF product_id, slot_id, ended_at ON listings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION product_place_of_listing();
--> statement-breakpoint

-- Announcements for open pages and stored HTML, only for columns that pages show.
CREATE TRIGGER products_announce AFTER UPDATE ON products FOR EACH ROW
  WHEN (NEW.status IN ('approved', 'active')
    AND (OLD.name, OLD.description, OLD.images, OLD.price, OLD.city, OLD.region, OLD.business_name, OLD.category, OLD.slug, OLD.status, OLD.sold_at, OLD.removed_at)
    IS DISTINCT FROM (NEW.name, NEW.description, NEW.images, NEW.price, NEW.city, NEW.region, NEW.business_name, NEW.category, NEW.slug, NEW.status,
      NEW.sold_at, NEW.removed_at))
  EXECUTE FUNCTION announce('product');
--> statement-breakpoint

CREATE FUNCTION announce_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('market', 'product:' || NEW.product_id::text);
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE TRIGGER listings_reopen AFTER INSERT ON listings FOR EACH ROW WHEN (NEW.number > 1) EXECUTE FUNCTION announce_listing();
--> statement-breakpoint

CREATE TRIGGER listings_announce AFTER UPDATE OF ended_at ON listings FOR EACH ROW
  WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at) EXECUTE FUNCTION announce_listing();
--> statement-breakpoint

-- The same condition as in api/products/integrity.ts, word for word; a test compares them.
CREATE INDEX products_incomplete_idx ON products (created_at DESC, id) WHERE ("removed_at" is null and "withdrawn_at" is null and "images_deleted_at" is null
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
--> statement-breakpoint

-- The fees of a deleted product stay, with the account id and without a name.
CREATE FUNCTION keep_fees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_fees (listing_id, person, opened_at, fee, fee_state, fee_reference, fee_marked_at)
  SELECT l.id, (SELECT coalesce(s.user_id, s.id::text) FROM sellers s WHERE s.id = OLD.seller_id), l.opened_at, l.fee, l.fee_state, l.fee_reference, l.fee_marked_at
  FROM listings l WHERE l.product_id = OLD.id AND l.fee IS NOT NULL;
  RETURN OLD;
END $$;
--> statement-breakpoint

CREATE TRIGGER products_keep_fees BEFORE DELETE ON products FOR EACH ROW EXECUTE FUNCTION keep_fees();
--> statement-breakpoint

CREATE FUNCTION only_emptied(old jsonb, new jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF old IS NOT DISTINCT FROM new THEN RETURN true; END IF;
  IF jsonb_typeof(old) IS DISTINCT FROM jsonb_typeof(new) THEN RETURN false; END IF;
  IF jsonb_typeof(old) = 'string' THEN RETURN new = '"[deleted]"'::jsonb; END IF;
  IF jsonb_typeof(old) = 'object' THEN
    RETURN (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(old) k) IS NOT DISTINCT FROM (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(new) k)
      AND (SELECT bool_and(only_emptied(o.value, new -> o.key)) FROM jsonb_each(old) o);
  END IF;
  IF jsonb_typeof(old) = 'array' THEN
    RETURN jsonb_array_length(old) = jsonb_array_length(new)
      AND (SELECT bool_and(only_emptied(o.value, new -> (o.ordinality - 1)::int)) FROM jsonb_array_elements(old) WITH ORDINALITY o);
  END IF;
  RETURN false;
END $$;
--> statement-breakpoint

CREATE FUNCTION audit_log_only_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.at, OLD.actor_kind, OLD.actor_id, OLD.via, OLD.action, OLD.subject_kind, OLD.request_id)
    IS DISTINCT FROM (NEW.id, NEW.at, NEW.actor_kind, NEW.actor_id, NEW.via, NEW.action, NEW.subject_kind, NEW.request_id)
    OR (NEW.actor_name IS DISTINCT FROM OLD.actor_name AND NEW.actor_name IS NOT NULL)
    OR (NEW.subject_name IS DISTINCT FROM OLD.subject_name AND NEW.subject_name IS NOT NULL)
    -- An address that was let in again is its line's own subject.
    OR (NEW.subject_id IS DISTINCT FROM OLD.subject_id AND NOT (NEW.subject_id IS NULL AND OLD.subject_kind = 'user' AND OLD.subject_id LIKE '%@%'))
    OR NOT only_emptied(OLD.before, NEW.before) OR NOT only_emptied(OLD.after, NEW.after)
  THEN
    RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint

-- The audit log only grows. A transaction that forgets a person may empty texts, nothing else.
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log FOR EACH STATEMENT
  WHEN (current_setting('marche54.forgetting', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

CREATE TRIGGER audit_log_only_emptied BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_only_emptied();
--> statement-breakpoint

CREATE TRIGGER sellers_announce AFTER UPDATE ON sellers FOR EACH ROW
  WHEN ((OLD.verified, OLD.verified_by, OLD.verified_whatsapp, OLD.whatsapp, OLD.suspended, OLD.leaving_at, OLD.business_name)
    IS DISTINCT FROM (NEW.verified, NEW.verified_by, NEW.verified_whatsapp, NEW.whatsapp, NEW.suspended, NEW.leaving_at, NEW.business_name))
  EXECUTE FUNCTION announce('seller');
--> statement-breakpoint

-- Ledger and purchases only grow (decision 042); accounts stay when their person is gone.
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

-- Only the ledger's trigger writes count, balance and head.
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

-- Each entry follows the one before. The lock on the account orders the entries of a member.
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

-- At commit, exactly the completed purchases have an entry.
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
--> statement-breakpoint

-- The search in English, French and plain forms (api/shared/search.ts).
CREATE FUNCTION search_query(words text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH forms AS (
    SELECT n, plainto_tsquery('english', word) AS english, plainto_tsquery('french', word) AS french, to_tsquery('simple', quote_literal(word) || ':*') AS beginning
    FROM unnest(words) WITH ORDINALITY AS given(word, n)
  ), judged AS (
    SELECT n, english || french || beginning AS word, numnode(english) = 0 OR numnode(french) = 0 AS little FROM forms
  ), wanted AS (
    SELECT n, word FROM judged WHERE NOT little OR NOT EXISTS (SELECT FROM judged WHERE NOT little)
  )
  SELECT string_agg('(' || word::text || ')', ' & ' ORDER BY n)::tsquery FROM wanted
$$;
--> statement-breakpoint

-- At commit, each post, response and update has its spend.
CREATE FUNCTION require_spend() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM credit_entries WHERE kind = 'spend' AND reference_type = TG_ARGV[0] AND reference_id = NEW.id) THEN
    RAISE EXCEPTION '% % is not paid for', TG_ARGV[0], NEW.id USING ERRCODE = 'check_violation', CONSTRAINT = 'connect_paid';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER connect_paid AFTER INSERT OR UPDATE OF id ON connect_posts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_spend('post');
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER connect_paid AFTER INSERT OR UPDATE OF id ON connect_responses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_spend('response');
--> statement-breakpoint

CREATE CONSTRAINT TRIGGER connect_paid AFTER INSERT OR UPDATE OF id ON connect_updates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_spend('post_update');
--> statement-breakpoint

CREATE FUNCTION announce_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('chats', 'waiting');
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE TRIGGER chat_updates_announce AFTER INSERT ON chat_updates FOR EACH STATEMENT EXECUTE FUNCTION announce_chat();
--> statement-breakpoint

-- The queue's log only grows (decision 056).
CREATE TRIGGER queue_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON queue_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

CREATE TRIGGER queue_logs_stay BEFORE DELETE OR TRUNCATE ON queue_logs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

CREATE FUNCTION keep_queue_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND (NEW.entries, NEW.head) IS DISTINCT FROM (0, ''))
    OR (TG_OP = 'UPDATE' AND pg_trigger_depth() = 1 AND (NEW.queue_name, NEW.entries, NEW.head) IS DISTINCT FROM (OLD.queue_name, OLD.entries, OLD.head)) THEN
    RAISE EXCEPTION 'the end of a queue''s log follows its entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint

CREATE TRIGGER queue_logs_follow BEFORE INSERT OR UPDATE ON queue_logs FOR EACH ROW EXECUTE FUNCTION keep_queue_log();
--> statement-breakpoint

-- Only entries of the log change who waits where.
CREATE FUNCTION refuse_unlogged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'who stands where in the queue is written by its log alone' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'queue_items_follow';
END $$;
--> statement-breakpoint

CREATE TRIGGER queue_items_follow BEFORE INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, product_id, queue_name, band, position ON queue_items
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_unlogged();
--> statement-breakpoint

CREATE FUNCTION append_queue_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  log record;
BEGIN
  SELECT entries, head INTO log FROM queue_logs WHERE queue_name = NEW.queue_name FOR UPDATE;
  IF (NEW.serial, NEW.previous) IS DISTINCT FROM (log.entries + 1, log.head) THEN
    RAISE EXCEPTION 'entry % of % does not follow entry %', NEW.serial, NEW.queue_name, log.entries
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_follow';
  END IF;
  UPDATE queue_logs SET entries = NEW.serial, head = NEW.hash WHERE queue_name = NEW.queue_name;
  IF NEW.act IN ('move', 'leave', 'hold', 'release')
    AND NOT EXISTS (SELECT FROM queue_items WHERE product_id = NEW.product_id AND queue_name = NEW.queue_name
      AND (band, position) = (CASE WHEN NEW.act = 'release' THEN NEW.to_band ELSE NEW.from_band END, CASE WHEN NEW.act = 'release' THEN NEW.to_position ELSE NEW.from_position END)) THEN
    RAISE EXCEPTION 'product % does not wait where entry % says', NEW.product_id, NEW.serial
      USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_true';
  END IF;
  CASE NEW.act
    WHEN 'enter' THEN
      INSERT INTO queue_items (product_id, queue_name, band, position, queued_at, item_data)
        VALUES (NEW.product_id, NEW.queue_name, NEW.to_band, NEW.to_position, NEW.at, '{}');
    WHEN 'move' THEN
      UPDATE queue_items SET band = NEW.to_band, position = NEW.to_position WHERE product_id = NEW.product_id;
    WHEN 'leave' THEN
      DELETE FROM queue_items WHERE product_id = NEW.product_id;
    WHEN 'order' THEN
      -- The whole lane, in the order in which it stands, and nobody else.
      IF NEW.line <> ARRAY(SELECT product_id FROM queue_items WHERE queue_name = NEW.queue_name ORDER BY band, position)
        OR NEW.front <> (SELECT count(*) FROM queue_items WHERE queue_name = NEW.queue_name AND band = 0) THEN
        RAISE EXCEPTION 'entry % says another order than that of %', NEW.serial, NEW.queue_name
          USING ERRCODE = 'check_violation', CONSTRAINT = 'queue_entries_true';
      END IF;
      UPDATE queue_items SET position = l.place * 1024 FROM unnest(NEW.line) WITH ORDINALITY AS l (product_id, place)
        WHERE queue_items.product_id = l.product_id AND queue_items.position <> l.place * 1024;
    ELSE NULL;
  END CASE;
  RETURN NEW;
END $$;
--> statement-breakpoint

CREATE TRIGGER queue_entries_append BEFORE INSERT ON queue_entries FOR EACH ROW EXECUTE FUNCTION append_queue_entry();
--> statement-breakpoint

-- Key of a cash reference, however it is typed (decision 060).
CREATE FUNCTION cash_reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(lower(normalize(reference, NFKC)), '[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]', '', 'g')
$$;
--> statement-breakpoint

CREATE FUNCTION key_cash_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.payment_key := CASE WHEN NEW.purchase_method = 'cash_partner' AND NEW.status = 'completed' THEN cash_reference_key(NEW.payment_reference) END;
  RETURN NEW;
END $$;
--> statement-breakpoint

CREATE TRIGGER credit_purchases_key BEFORE INSERT OR UPDATE ON credit_purchases FOR EACH ROW EXECUTE FUNCTION key_cash_payment();
