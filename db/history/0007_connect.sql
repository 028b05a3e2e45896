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
	"words" text NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', words) || to_tsvector('french', words) || to_tsvector('simple', words)) STORED NOT NULL,
	CONSTRAINT "connect_posts_reference_unique" UNIQUE("reference"),
	CONSTRAINT "connect_posts_reference_readable" CHECK ("connect_posts"."reference" ~ '^[a-hjkmnp-z2-9]{8}$'),
	CONSTRAINT "connect_posts_category_known" CHECK ("connect_posts"."category" in ('services_home', 'services_business', 'transportation', 'delivery', 'repairs', 'cleaning', 'events', 'other')),
	CONSTRAINT "connect_posts_status_known" CHECK ("connect_posts"."status" in ('active', 'closed')),
	CONSTRAINT "connect_posts_budget_ordered" CHECK ("connect_posts"."budget_min" >= 0 and "connect_posts"."budget_max" >= 0 and "connect_posts"."budget_min" <= "connect_posts"."budget_max"),
	CONSTRAINT "connect_posts_whatsapp_e164" CHECK ("connect_posts"."contact_whatsapp" is null or "connect_posts"."contact_whatsapp" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "connect_posts_hidden_whole" CHECK (("connect_posts"."hidden_at" is null) = ("connect_posts"."hidden_reason" is null) and ("connect_posts"."hidden_at" is not null or "connect_posts"."hidden_by" is null))
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
ALTER TABLE "connect_figures" ADD CONSTRAINT "connect_figures_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_posts" ADD CONSTRAINT "connect_posts_hidden_by_user_id_fk" FOREIGN KEY ("hidden_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_reports" ADD CONSTRAINT "connect_reports_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_reports" ADD CONSTRAINT "connect_reports_resolved_by_user_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_responses" ADD CONSTRAINT "connect_responses_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_responses" ADD CONSTRAINT "connect_responses_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_updates" ADD CONSTRAINT "connect_updates_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_views" ADD CONSTRAINT "connect_views_post_id_connect_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."connect_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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

-- What somebody asks for in words, for a vector of English, French and plain forms (api/core/search.ts). A word counts in each language's form of it,
-- or as the beginning of a longer one; little words of either language only where there is nothing else. No extension is needed.
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

-- Nothing stands on the board that nobody has paid for: each post, response and update has its spend when its transaction commits.
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
