import type { Attack } from '../attack.ts';
import { junkPhoto, rulesDrawing, tower } from '../bombs.ts';
import type { Market } from '../market.ts';
import { join, post } from '../people.ts';
import { inWords, repeat, status } from '../requests.ts';

const upload = ({ url, seller }: Market, body: Uint8Array<ArrayBuffer>, type: string) =>
  status(`${url}/api/uploads`, {
    method: 'POST',
    headers: { cookie: seller, 'content-type': type },
    body,
    signal: AbortSignal.timeout(60_000),
  });

const uploads = (
  name: string,
  times: number,
  body: () => Uint8Array<ArrayBuffer>,
  type: string,
): Attack => ({
  name,
  async run(market) {
    const photo = body();
    const outcomes = await repeat(times, times, () => upload(market, photo, type));
    return { note: inWords(outcomes), held: !outcomes.has(201) && !outcomes.has('no answer') };
  },
});

/** Requests that make the market work: pictures, texts and mails. */
export const freezing: readonly Attack[] = [
  uploads('upload: drawing with 60,000 style rules', 2, rulesDrawing, 'image/svg+xml'),
  uploads('upload: three pictures of 1 × 39,000,000', 3, tower, 'image/png'),
  uploads('upload: fifty bodies of 5 MB at once', 50, junkPhoto, 'image/jpeg'),
  {
    name: 'texts: posts of one long amount, 20 a second, by a member without credits',
    async run(market) {
      const member = await join(market, 'long.amounts', '192.0.2.92');
      const text = `1${' 000'.repeat(1247)}`;
      const json = {
        ...post(text),
        description: text,
        location: text,
        city: text,
        region: text,
        tags: [text],
      };
      const outcomes = new Map<string | number, number>();
      const sent: Promise<void>[] = [];
      for (let n = 0; n < 120; n++) {
        const asked = member
          .ask('/api/connect/posts', { json })
          .catch(() => ({ status: 'no answer' }));
        sent.push(
          asked.then(({ status }) => void outcomes.set(status, (outcomes.get(status) ?? 0) + 1)),
        );
        await Bun.sleep(50);
      }
      await Promise.all(sent);
      return { note: inWords(outcomes), held: outcomes.get(400) === 120 };
    },
  },
  {
    name: 'mail: 18 sign-ups, each letter held for 90 s',
    async run({ url, sql }) {
      const outcomes = await repeat(18, 18, (n) =>
        status(`${url}/api/auth/sign-up`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            email: `slow.post.${n}@example.org`,
            password: 'a long password',
            name: 'Slow Post',
            agreed: '0',
          }),
        }),
      );
      // Long enough for every mail to be on its way.
      await Bun.sleep(5000);
      // A job's lock is a transaction too, but does not belong to the mails.
      const [held] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity where state = 'idle in transaction' and state_change < now() - interval '2 seconds' and query not like '%advisory%'`;
      return {
        note: `sign-ups ${inWords(outcomes)}; connections held in a transaction: ${held?.count}`,
        held: held?.count === 0 && !outcomes.has('no answer'),
      };
    },
  },
];
