import { and, desc, eq, gt } from 'drizzle-orm';
import webPush from 'web-push';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Gone, Later, Outdated, type Post, type Taken, Undeliverable } from '../outbox/delivery.ts';
import { unseal } from '../outbox/sealing.ts';
import { openForBrowsers } from '../people/browsers.ts';
import { type PushKeys, pushKeys } from './keys.ts';
import { isPushOn } from './reads.ts';
import { isKnownEndpoint, longest, mostBrowsers } from './rules.ts';
import type { Subscription } from './schema.ts';

const { pushSubscriptions: b, session } = schema;
type Row = Pick<typeof b.$inferSelect, 'id' | 'endpointHash' | 'sealed'>;
type Browser = Subscription & { publicKey: string };
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
    const on = await isPushOn(ctx);
    const rows = await browsersOf(ctx, message.userId);
    const ends = await Promise.allSettled(
      rows.map(async (row) => {
        const browser = on ? openBrowser(ctx, row, sent.keys) : undefined;
        if (browser && (await isTaken(ctx, browser, sent, signal))) return true;
        const same = and(eq(b.id, row.id), eq(b.endpointHash, row.endpointHash));
        await ctx.db.delete(b).where(same);
        return false;
      }),
    );
    if (ends.some((end) => end.status === 'fulfilled' && end.value)) return;
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    throw (
      faults.find((fault) => fault instanceof Later) ??
      faults[0] ??
      new Gone('No browser of the account is left')
    );
  },
};

/** Payload for the worker (site/src/offline/push.ts), and its time to live in seconds. */
function shownIn({ services, now }: Ctx, message: Taken): Pick<Sent, 'text' | 'seconds'> {
  const { recipient, sealed, subject, bodyText, language, id } = message;
  const about = openForBrowsers(services.secret, recipient, sealed ?? '');
  if (!about) throw new Undeliverable('It was sealed with another secret');
  const { until, path, ...shown } = about;
  const seconds = Math.floor((Date.parse(until) - now().getTime()) / 1000);
  if (seconds <= 0) throw new Outdated('Its listing has ended');
  const text = JSON.stringify({
    ...{ id, language, ...shown },
    title: cut(subject, longest.title),
    body: cut(bodyText, longest.body),
    path: path.length > longest.path ? `/${language}/alerts` : path,
  });
  return { text, seconds };
}

const cut = (text: string, letters: number): string => [...text].slice(0, letters).join('');

const browsersOf = ({ db, now }: Ctx, userId: string | null): Promise<Row[]> =>
  db
    .select({ id: b.id, endpointHash: b.endpointHash, sealed: b.sealed })
    .from(b)
    .innerJoin(session, eq(session.id, b.sessionId))
    .where(and(eq(session.userId, userId ?? ''), gt(session.expiresAt, now())))
    .orderBy(desc(b.madeAt), b.id)
    .limit(mostBrowsers);

/** Undefined if secret, key or list of services have changed since the browser subscribed. */
function openBrowser(
  { services: { secret, env } }: Ctx,
  { endpointHash, sealed }: Row,
  { publicKey }: PushKeys,
): Browser | undefined {
  try {
    const browser = JSON.parse(unseal(secret, 'marche54 browser', endpointHash, sealed)) as Browser;
    const isKnown = isKnownEndpoint(browser.endpoint, env.PUSH_SERVICES);
    return isKnown && browser.publicKey === publicKey ? browser : undefined;
  } catch {
    return undefined;
  }
}

/** False if the service says that the browser is gone; throws any other fault. */
async function isTaken(
  { services: { env, pushFetch } }: Ctx,
  browser: Browser,
  { text, seconds, keys }: Sent,
  signal: AbortSignal,
): Promise<boolean> {
  const { headers, body } = webPush.generateRequestDetails(browser, text, {
    vapidDetails: { subject: contactOf(env), ...keys },
    TTL: seconds,
    contentEncoding: 'aes128gcm',
  });
  const { 'Content-Length': _, ...given } = headers as Record<string, string | number>;
  const named = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const { hostname } = new URL(browser.endpoint);
  const answer = await pushFetch(browser.endpoint, {
    ...{ method: 'POST', headers: Object.fromEntries(named), body: new Uint8Array(body ?? []) },
    // A redirect could lead to any machine.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
  }).catch((error: Error & { code?: string }) => {
    // Its own words may have the address.
    throw new Error(`${hostname} could not be reached: ${error.code ?? error.name}`);
  });
  await answer.body?.cancel();
  const { ok, status } = answer;
  if (ok) return true;
  if (status === 404 || status === 410) return false;
  const message = `${hostname} answers ${status}`;
  if (status !== 429) throw new Error(message);
  const wait = Number(answer.headers.get('retry-after'));
  throw new Later(wait > 0 ? Math.min(wait, longestWaitSeconds) : 60, message);
}

/** Push services want an address of the sender. */
const contactOf = ({ publicUrl, MAIL_FROM }: Ctx['services']['env']): string =>
  publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${(MAIL_FROM.split(/[<>]/)[1] ?? MAIL_FROM).trim()}`;
