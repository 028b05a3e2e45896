import { desc } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';

/** The newest mails of the demo, which has no post office (decision 0). Outside the demo nobody reads the outbox. */
export async function demoOutbox(ctx: Ctx) {
  if (!ctx.services.env.demo) throw new Refusal('notFound');
  const { outbox } = schema;
  const rows = await ctx.db.select().from(outbox).orderBy(desc(outbox.createdAt), desc(outbox.id)).limit(50);
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.bodyText,
    state: row.state,
    language: row.language,
    createdAt: row.createdAt.toISOString(),
  }));
}
