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
CREATE UNIQUE INDEX "alarms_open_idx" ON "alarms" USING btree ("kind","subject") WHERE "alarms"."over_at" is null;--> statement-breakpoint
CREATE INDEX "alarms_over_idx" ON "alarms" USING btree ("over_at" DESC NULLS FIRST);