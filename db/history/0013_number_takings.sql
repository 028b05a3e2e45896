CREATE TABLE "number_takings" (
	"number_key" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "number_takings_hashed" CHECK ("number_takings"."number_key" ~ '^[0-9a-f]{64}$')
);
