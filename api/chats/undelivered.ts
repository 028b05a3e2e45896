import { and, count, desc, gt, inArray, not, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone, requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { chatKey, type Transport } from '../people/chats.ts';
import { redact } from '../shared/redact.ts';
import { blockChat } from './replies.ts';
import { cloudErrors } from './rules.ts';

const { chatChannels, chatUndelivered: t } = schema;
const dayMs = 86_400_000;

/** A message that a network took and could not deliver. `address` is its recipient's. */
export type Undelivered = { id: string; address: string; code: number; reason: string; at: Date };

/** The network's reason, without secrets and numbers. */
const wordsOf = (reason: string): string =>
  String(redact(reason))
    .replaceAll(/\d{7,}/g, '…')
    .slice(0, 200);

/**
 * Records undelivered messages, each once; blocks the chats of people who cannot be reached, and
 * stops a template that the network refuses.
 */
export async function noteUndelivered(
  ctx: Ctx,
  transport: Transport,
  failures: readonly Undelivered[],
): Promise<void> {
  openToEveryone(ctx);
  const { secret } = ctx.services;
  for (const { id, address, code, reason, at } of failures) {
    const [noted] = await ctx.db
      .insert(t)
      .values({
        idHash: chatKey(secret, transport, `message ${id}`),
        transport,
        code,
        reason: wordsOf(reason),
        at,
      })
      .onConflictDoNothing()
      .returning({ code: t.code });
    if (!noted) continue;
    if (cloudErrors.gone.has(code))
      await blockChat(ctx, { transport, keyHash: chatKey(secret, transport, address) });
    if (cloudErrors.template.has(code)) await refuseTemplate(ctx, transport, reason);
  }
}

/** Remembers that the network refuses the template; notifications then wait for a day. */
export async function refuseTemplate(
  ctx: Pick<Ctx, 'db' | 'now'>,
  transport: Transport,
  reason: string,
): Promise<void> {
  await ctx.db
    .update(chatChannels)
    .set({
      templateRefusedAt: ctx.now(),
      templateRefusal: wordsOf(reason),
    })
    .where(sql`${chatChannels.transport} = ${transport}`);
}

/** True while the template is not tried: a day after its last refusal. */
export async function templateRests(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  transport: Transport,
): Promise<boolean> {
  const since = new Date(now().getTime() - dayMs);
  const [row] = await db
    .select({ at: chatChannels.templateRefusedAt })
    .from(chatChannels)
    .where(
      and(sql`${chatChannels.transport} = ${transport}`, gt(chatChannels.templateRefusedAt, since)),
    );
  return row !== undefined;
}

/** Undelivered messages of the last day by network, with the newest reason, for admins. */
export async function undeliveredToday(
  ctx: Ctx,
): Promise<Map<string, { count: number; reason: string }>> {
  requireAdmin(ctx);
  const today = gt(t.at, new Date(ctx.now().getTime() - dayMs));
  const counts = await ctx.db
    .select({ transport: t.transport, count: count() })
    .from(t)
    .where(today)
    .groupBy(t.transport);
  const [newest] = await ctx.db
    .select({ code: t.code, reason: t.reason })
    .from(t)
    .where(and(today, not(inArray(t.code, [...cloudErrors.gone]))))
    .orderBy(desc(t.at))
    .limit(1);
  const reason = newest ? `${newest.reason} (${newest.code})` : '';
  return new Map(counts.map((row) => [row.transport, { count: row.count, reason }]));
}
