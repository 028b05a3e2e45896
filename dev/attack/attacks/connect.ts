import { texts } from '../../fuzz/nasty.ts';
import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { addressOf, browser, join, must, type Person, post } from '../people.ts';
import { inWords, repeat } from '../requests.ts';

type Page = { posts: { reference: string; mine?: boolean }[]; next: string | null };
const balanceOf = async (person: Person) =>
  (await must(person.ask<{ balance: number }>('/api/credits'))).balance;
const publish = async (person: Person, title: string) =>
  (await must(person.ask<{ reference: string }>('/api/connect/posts', { json: post(title) })))
    .reference;
/** Creates members with published posts. */
async function owners(
  market: Market,
  name: string,
  each: number,
): Promise<{ owner: Person; references: string[] }[]> {
  const made = [];
  for (const n of [1, 2, 3]) {
    const owner = await join(market, `${name}.${n}`, `192.0.2.${60 + n}`, 2 * each);
    const references: string[] = [];
    for (let nth = 0; nth < each; nth++)
      references.push(await publish(owner, `${name} ${n} ${nth}`));
    made.push({ owner, references });
  }
  return made;
}

/** Attacks on Connect by members and strangers. */
export const connect: readonly Attack[] = [
  {
    name: 'board: a bot that responds to everything, each twice at once',
    async run(market) {
      const references = (await owners(market, 'answered', 12)).flatMap((one) => one.references);
      const bot = await join(market, 'answering', '192.0.2.50', 30);
      const outcomes = await repeat(
        references.length * 2,
        12,
        async (n) =>
          (await bot.ask(`/api/connect/posts/${references[n >> 1]}/responses`, { method: 'POST' }))
            .status,
      );
      const [row] = await market.sql<
        { n: number }[]
      >`select count(*)::int as n from connect_responses where user_id = ${bot.userId}`;
      const left = await balanceOf(bot);
      return {
        note: `${inWords(outcomes)}; ${row?.n} responses, ${left} credits left`,
        held: row?.n === 30 && left === 0,
      };
    },
  },
  {
    name: 'board: 300 posts at once with credits for ten',
    async run(market) {
      const bot = await join(market, 'flooding', '192.0.2.51', 20);
      const outcomes = await repeat(
        300,
        60,
        async (n) => (await bot.ask('/api/connect/posts', { json: post(`Flood ${n}`) })).status,
      );
      const [row] = await market.sql<
        { n: number }[]
      >`select count(*)::int as n from connect_posts where user_id = ${bot.userId}`;
      const left = await balanceOf(bot);
      return {
        note: `${inWords(outcomes)}; ${row?.n} posts, ${left} credits left`,
        held: row?.n === 10 && left === 0,
      };
    },
  },
  {
    name: 'board: 50 purchases at once against the limit of the week',
    async run(market) {
      const buyer = await join(market, 'buying', '192.0.2.52');
      const limit = await must(buyer.ask<{ weekly_limit: number }>('/api/credits/weekly-limit'));
      const outcomes = await repeat(
        50,
        50,
        async () =>
          (await buyer.ask('/api/credits/purchases', { json: { method: 'cash_partner' } })).status,
      );
      const [row] = await market.sql<{ usd: number }[]>`
        select coalesce(sum(amount_usd), 0)::float8 as usd from credit_purchases p join credit_accounts a on a.number = p.member where a.user_id = ${buyer.userId} and p.status in ('pending', 'completed')`;
      return {
        note: `${inWords(outcomes)}; ${row?.usd} of ${limit.weekly_limit} dollars`,
        held: (row?.usd ?? Infinity) <= limit.weekly_limit,
      };
    },
  },
  {
    name: 'board: the feed read to its end, and with the places of another',
    async run(market) {
      const [first, second] = await owners(market, 'scraped', 8);
      if (!first || !second) return { note: 'nobody published', held: false };
      const stranger = browser(market, '192.0.2.53');
      let [after, pages, leaks] = ['', 0, 0];
      const places: string[] = [];
      do {
        const { status, text, body } = await stranger.ask<Page>(`/api/connect/posts${after}`);
        if (status !== 200) break;
        pages++;
        if (/237\s?6\d{2}|attack\.example\.test/.test(text)) leaks++;
        if (body.next) places.push(body.next);
        after = body.next ? `?after=${encodeURIComponent(body.next)}` : '';
      } while (after && pages < 200);
      // The feed's cursor, used on one's own list, must not return others' posts.
      const own = new Set(first.references);
      let others = 0;
      for (const place of [...places, ...texts]) {
        const { body, status } = await first.owner.ask<Partial<Page>>(
          `/api/connect/posts/mine?after=${encodeURIComponent(place.toWellFormed())}`,
        );
        if (status >= 500) others++;
        others += (body.posts ?? []).filter(({ reference }) => !own.has(reference)).length;
      }
      return {
        note: `${pages} pages, ${leaks} with a number or an address; ${others} posts of others among one’s own`,
        held: pages > 0 && leaks === 0 && others === 0,
      };
    },
  },
  {
    name: 'board: 900 searches with nasty and long words',
    async run(market) {
      const words = [
        ...texts,
        'a '.repeat(99),
        'é'.repeat(200),
        '%'.repeat(200),
        `${'x'.repeat(100)} ${'y'.repeat(99)}`,
        '"'.repeat(200),
        'van & !(',
        ':* | !',
      ];
      const outcomes = await repeat(
        900,
        8,
        async (n) =>
          (
            await browser(market, addressOf(520_000 + (n >> 5))).ask(
              `/api/connect/posts?search=${encodeURIComponent((words[n % words.length] ?? '').toWellFormed())}`,
            )
          ).status,
      );
      return {
        note: inWords(outcomes),
        held: [...outcomes.keys()].every((status) => status === 200 || status === 400),
      };
    },
  },
  {
    name: 'board: 3,000 looks at one post, no cookie kept',
    async run(market) {
      const owner = await join(market, 'looked.at', '192.0.2.54', 2);
      const reference = await publish(owner, 'Look at this');
      const outcomes = await repeat(
        3000,
        16,
        async () =>
          (
            await browser(market, '10.203.0.1').ask(`/api/connect/posts/${reference}/views`, {
              method: 'POST',
            })
          ).status,
      );
      const { views } = await must(owner.ask<{ views: number }>(`/api/connect/posts/${reference}`));
      return { note: `${inWords(outcomes)}; counted ${views}`, held: views <= 200 };
    },
  },
];
