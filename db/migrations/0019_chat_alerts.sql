ALTER TABLE "alerts" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "chat_id" uuid;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_chat_search_idx" ON "alerts" USING btree ("chat_id","query") WHERE "alerts"."seller_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_chat_shop_idx" ON "alerts" USING btree ("chat_id","seller_id");--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_of_one" CHECK (("alerts"."user_id" is null) <> ("alerts"."chat_id" is null));
