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