CREATE TABLE "data_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"person" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"recorded_by" text,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	"outcome" text,
	CONSTRAINT "data_requests_kind_known" CHECK ("data_requests"."kind" in ('see', 'correct', 'delete', 'object')),
	CONSTRAINT "data_requests_closed_told" CHECK (("data_requests"."closed_at" is null) = ("data_requests"."outcome" is null))
);
--> statement-breakpoint
ALTER TABLE "data_requests" ADD CONSTRAINT "data_requests_recorded_by_user_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_requests" ADD CONSTRAINT "data_requests_closed_by_user_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_requests_received_idx" ON "data_requests" USING btree ("received_at");