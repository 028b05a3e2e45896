import { and, desc, eq, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { isTeam } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { openLinks } from '../outbox/outbox.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * The newest mails of the demo, which sends none. Mails to an admin's address, even older ones, are
 * shown to that admin only: a password link would make anyone admin (decision 022). Refuses
 * `notFound` outside the demo.
 */
export async function demoOutbox(ctx: Ctx) {
  if (!ctx.services.env.demo) throw new Refusal('notFound');
  const { outbox, user } = schema;
  const toAnAdmin = sql`exists (select from ${user} where ${user.role} <> 'member'
    and (${user.id} = ${outbox.userId} or lower(${user.email}) = lower(${outbox.recipient})))`;
  const visible = or(
    sql`not ${toAnAdmin}`,
    'email' in ctx.actor && isTeam(ctx.actor.kind) && ctx.actor.email !== null
      ? eq(sql`lower(${outbox.recipient})`, ctx.actor.email.toLowerCase())
      : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.channel, 'email'), visible))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(50);
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: openLinks(ctx, row.recipient, row.bodyText),
    state: row.state,
    language: row.language,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Refuses `notFound` outside the demo. */
export async function demoPeople(ctx: Ctx) {
  if (!ctx.services.demoProvider) throw new Refusal('notFound');
  const { sellers, user } = schema;
  const one = async (suspended: boolean) => {
    const [row] = await ctx.db
      .select({ email: user.email, name: user.name })
      .from(sellers)
      .innerJoin(user, eq(user.id, sellers.userId))
      .where(eq(sellers.suspended, suspended))
      .orderBy(sellers.createdAt, sellers.id)
      .limit(1);
    return row ?? null;
  };
  return { seller: await one(false), suspended: await one(true) };
}
