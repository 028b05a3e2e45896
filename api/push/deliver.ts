import { and, desc, eq, gt } from 'drizzle-orm';
import webPush from 'web-push';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Later, type Post, type Taken, Undeliverable } from '../outbox/delivery.ts';
import { unseal } from '../outbox/sealing.ts';
import { openForBrowsers } from '../people/browsers.ts';
import { type PushKeys, pushKeys } from './keys.ts';
import { isKnownEndpoint, longestText, mostBrowsers } from './rules.ts';
import type { Subscription } from './schema.ts';

const { pushSubscriptions: b, session } = schema;
type Row = Pick<typeof b.$inferSelect, 'id' | 'endpointHash' | 'sealed'>;
type Sent = { text: string; seconds: number; keys: PushKeys };

/** A service that has not answered until then is tried again later. */
const answerMs = 20_000;
const longestWaitSeconds = 3600;

/**
 * Messages to an account's browsers by their push services (RFC 8030, encrypted by RFC 8291). One
 * browser that takes it is enough; those that are gone are forgotten.
 */
export const pushPost: Post = {
  channel: 'push',
  atOnce: 5,
  async send(ctx, message, signal) {
    const sent = { ...shownIn(ctx, message), keys: await pushKeys(ctx) };
    const rows = await browsersOf(ctx, message.userId);
    const ends = await Promise.allSettled(rows.map((row) => toBrowser(ctx, row, sent, signal)));
    if (ends.some((end) => end.status === 'fulfilled' && end.value)) return;
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    throw (
      faults.find((fault) => fault instanceof Later) ??
      faults[0] ??
      new Undeliverable('No browser of the account is left')
    );
  },
};

/** Text that the worker reads (site/src/offline/push.ts), and seconds until it says nothing more. */
function shownIn({ services, now }: Ctx, message: Taken): Pick<Sent, 'text' | 'seconds'> {
  const { recipient, sealed, subject, bodyText, language, id } = message;
  const { until, ...shown } = openForBrowsers(services.secret, recipient, sealed ?? '');
  const seconds = Math.floor((Date.parse(until) - now().getTime()) / 1000);
  if (seconds <= 0) throw new Undeliverable('Its listing has ended');
  const body = bodyText.slice(0, longestText);
  return { text: JSON.stringify({ id, title: subject, body, language, ...shown }), seconds };
}

const browsersOf = ({ db, now }: Ctx, userId: string | null): Promise<Row[]> =>
  db
    .select({ id: b.id, endpointHash: b.endpointHash, sealed: b.sealed })
    .from(b)
    .innerJoin(session, eq(session.id, b.sessionId))
    .where(and(eq(session.userId, userId ?? ''), gt(session.expiresAt, now())))
    .orderBy(desc(b.madeAt), b.id)
    .limit(mostBrowsers);

/** True if the service took it, false for a browser that is forgotten. */
async function toBrowser(ctx: Ctx, row: Row, sent: Sent, signal: AbortSignal): Promise<boolean> {
  const request = requestTo(ctx, row, sent);
  if (request) {
    const { endpoint, headers, body } = request;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    // A redirect could lead to any machine.
    const init = { method: 'POST', headers, body, redirect: 'error', signal: patience } as const;
    const answer = await ctx.services.pushFetch(endpoint, init);
    await answer.body?.cancel();
    if (answer.ok) return true;
    if (answer.status !== 404 && answer.status !== 410) throw faultIn(answer);
  }
  await ctx.db.delete(b).where(and(eq(b.id, row.id), eq(b.endpointHash, row.endpointHash)));
  return false;
}

/** The encrypted request; undefined for a browser that cannot be reached any more. */
function requestTo(
  { services }: Ctx,
  { endpointHash, sealed }: Row,
  { text, seconds, keys }: Sent,
) {
  const { secret, env } = services;
  try {
    const browser = JSON.parse(
      unseal(secret, 'marche54 browser', endpointHash, sealed),
    ) as Subscription & { publicKey: string };
    const { publicKey, endpoint } = browser;
    if (publicKey !== keys.publicKey || !isKnownEndpoint(endpoint, env.PUSH_SERVICES))
      return undefined;
    const { headers, body } = webPush.generateRequestDetails(browser, text, {
      vapidDetails: { subject: contactOf(env), ...keys },
      TTL: seconds,
      contentEncoding: 'aes128gcm',
    });
    const { 'Content-Length': _, ...given } = headers as Record<string, string | number>;
    const named = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
    return { endpoint, headers: Object.fromEntries(named), body: new Uint8Array(body ?? []) };
  } catch (error) {
    services.log.warn('A browser cannot be told any more', { error });
    return undefined;
  }
}

/** Push services want an address of whoever sends. */
const contactOf = ({ publicUrl, MAIL_FROM }: Ctx['services']['env']): string =>
  publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${(MAIL_FROM.split(/[<>]/)[1] ?? MAIL_FROM).trim()}`;

function faultIn({ status, headers }: Response): Error {
  const message = `The push service answers ${status}`;
  const given = Number(headers.get('retry-after'));
  if (status !== 429 && status !== 503) return new Error(message);
  const seconds = given > 0 ? Math.min(given, longestWaitSeconds) : 60;
  return new Later(seconds, message);
}
