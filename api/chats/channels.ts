import { count, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Transport } from '../people/chats.ts';
import { qrCode } from '../pictures/qrCode.ts';
import { redact } from '../shared/redact.ts';
import { type ChannelState, channelTimes } from './rules.ts';
import { undeliveredToday } from './undelivered.ts';

const { chatChannels: c, outbox } = schema;

/** Only a process that runs the network sets `state`. */
export type Noted = {
  transport: Transport;
  client: typeof c.$inferSelect.client;
  state?: ChannelState;
  /** QR text to scan, or a code to type on the phone. */
  pairing?: string;
  receivedAt?: Date;
  sentAt?: Date;
  failedAt?: Date;
  failure?: string;
};

/** Stores a network's status; its timestamps never go back. */
export async function noteChannel(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { transport, client, state, pairing, ...noted }: Noted,
): Promise<void> {
  const failure =
    noted.failure === undefined ? undefined : String(redact(noted.failure)).slice(0, 300);
  const now = ctx.now();
  const later = (column: typeof c.receivedAt, at?: Date) =>
    at ? sql`greatest(${column}, ${at.toISOString()}::timestamptz)` : column;
  await ctx.db
    .insert(c)
    .values({
      ...noted,
      transport,
      client,
      state: state ?? 'off',
      pairing: pairing ?? null,
      seenAt: now,
      failure: failure ?? null,
    })
    .onConflictDoUpdate({
      target: c.transport,
      set: {
        ...(state ? { client, state, pairing: pairing ?? null, seenAt: now } : {}),
        receivedAt: later(c.receivedAt, noted.receivedAt),
        sentAt: later(c.sentAt, noted.sentAt),
        ...(noted.failedAt ? { failedAt: noted.failedAt, failure: failure ?? '' } : {}),
      },
    });
}

/** A network with no recent report counts as silent. */
const heard = (seenAt: Date, now: Date) => now.getTime() - seenAt.getTime() < channelTimes.silentMs;

/** Networks not switched off and reported within a day, for SQL. */
export const networksThatRun = ({ now }: Pick<Ctx, 'now'>) =>
  sql`(select ${c.transport} from ${c} where ${c.state} <> 'off'
    and ${c.seenAt} > ${new Date(now().getTime() - channelTimes.offMs).toISOString()}::timestamptz)`;

/** Status of each network for admins. */
export async function channelReport(ctx: Ctx) {
  requireAdmin(ctx);
  const now = ctx.now();
  const rows = await ctx.db.select().from(c).orderBy(c.transport);
  const undelivered = await undeliveredToday(ctx);
  const waiting = await ctx.db
    .select({ channel: outbox.channel, count: count() })
    .from(outbox)
    .where(eq(outbox.state, 'waiting'))
    .groupBy(outbox.channel);
  return rows.map(
    ({ transport, client, state, seenAt, receivedAt, sentAt, failedAt, failure, ...row }) => {
      const there = state === 'off' || heard(seenAt, now);
      return {
        transport,
        client,
        state: there ? state : ('silent' as const),
        seenAt: seenAt.toISOString(),
        receivedAt: receivedAt?.toISOString() ?? null,
        sentAt: sentAt?.toISOString() ?? null,
        failedAt: failedAt?.toISOString() ?? null,
        failure,
        waiting: waiting.find(({ channel }) => channel === transport)?.count ?? 0,
        undelivered: undelivered.get(transport) ?? null,
        template: row.templateRefusedAt && {
          at: row.templateRefusedAt.toISOString(),
          reason: row.templateRefusal ?? '',
        },
        pairing: row.pairing && there ? pairingOf(row.pairing) : null,
      };
    },
  );
}

/** Shows eight characters as a code, anything else as a QR code (SVG path). */
function pairingOf(text: string): { code: string } | { size: number; path: string } {
  if (/^[\dA-Z]{8}$/.test(text)) return { code: `${text.slice(0, 4)}-${text.slice(4)}` };
  return qrCode(text);
}
