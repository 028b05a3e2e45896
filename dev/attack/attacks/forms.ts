import { texts } from '../../fuzz/nasty.ts';
import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { addressOf, browser, join, must, post } from '../people.ts';
import { inWords, repeat } from '../requests.ts';

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});

/** Attacks on forms of Connect and its pages, which work without a script. */
export const forms: readonly Attack[] = [
  {
    name: 'forms: one post reported 600 times, no cookie kept, and from another site',
    async run(market) {
      const owner = await join(market, 'reported', '192.0.2.90', 2);
      const { reference } = await must(
        owner.ask<{ reference: string }>('/api/connect/posts', { json: post('Report this') }),
      );
      const report = form({ reason: 'fraud', note: 'So they say' });
      const outcomes = await repeat(600, 12, async () => {
        const { status, location } = await followed(
          market,
          '10.207.0.1',
          `/connect/${reference}/report`,
          report,
        );
        return status === 303 ? (/report=([\w.]+)/.exec(location)?.[1] ?? location) : status;
      });
      const foreign = await browser(market, '10.207.0.2').ask(`/connect/${reference}/report`, {
        ...report,
        headers: { ...report.headers, origin: 'https://evil.example' },
      });
      const [row] = await market.sql<{ n: number }[]>`
        select count(*)::int as n from connect_reports r join connect_posts p on p.id = r.post_id where p.reference = ${reference}`;
      const shown = (await browser(market, '10.207.0.3').ask(`/api/connect/posts/${reference}`))
        .status;
      return {
        note: `${inWords(outcomes)}; ${row?.n} kept; from another site ${foreign.status}; the post is ${shown === 200 ? 'shown' : 'NOT shown'}`,
        held: (row?.n ?? Infinity) <= 60 && foreign.status === 403 && shown === 200,
      };
    },
  },
  {
    name: 'forms: 800 with nasty and repeated fields',
    async run(market) {
      const owner = await join(market, 'badly.reported', '192.0.2.91', 2);
      const { reference } = await must(
        owner.ask<{ reference: string }>('/api/connect/posts', { json: post('Badly reported') }),
      );
      const bodies = texts.map((text) => text.toWellFormed());
      const elsewhere: string[] = [];
      const outcomes = await repeat(800, 12, async (n) => {
        const text = bodies[n % bodies.length] ?? '';
        const reason = n % 3 === 0 ? text : 'other';
        const sent = form({ reason, note: text, returnTo: text, reference: text });
        const doubled =
          n % 5 === 0
            ? { ...sent, body: `${sent.body}&reason=fraud&reason=other&__proto__=x&note[]=y` }
            : sent;
        const { status, location } = await followed(
          market,
          addressOf(550_000 + (n >> 3)),
          `/connect/${reference}/report`,
          doubled,
        );
        if (location && !location.startsWith('/')) elsewhere.push(location);
        return status;
      });
      const good = [...outcomes.keys()].every((status) => Number(status) < 500);
      return {
        note: `${inWords(outcomes)}; ${elsewhere.length} led elsewhere`,
        held: good && elsewhere.length === 0,
      };
    },
  },
];

/** Sends a form and returns where it leads. */
async function followed(
  { url }: Market,
  address: string,
  path: string,
  { method, body, headers }: ReturnType<typeof form>,
): Promise<{ status: number; location: string }> {
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    headers: { ...headers, 'x-forwarded-for': address },
    redirect: 'manual',
  });
  await response.arrayBuffer();
  return { status: response.status, location: response.headers.get('location') ?? '' };
}
