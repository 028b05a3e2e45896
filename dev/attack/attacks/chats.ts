import { cloudDelivery, cloudMessage } from '../../../tests/support/cloudMessages.ts';
import type { Attack } from '../attack.ts';
import { tower } from '../bombs.ts';
import type { Market } from '../market.ts';
import { telegramUpdate, toTelegram, toWhatsapp } from '../networks.ts';
import { browser, join, must, type Person } from '../people.ts';
import { inWords, repeat } from '../requests.ts';

type Delivery = { path: string; headers: Record<string, string>; body: string };
const deliver = ({ url }: Market, { path, headers, body }: Delivery, from: string) =>
  browser({ url }, from)
    .ask(path, { method: 'POST', headers, body })
    .then(({ status }) => status);
/** The network address that deliveries come from. */
const network = '192.0.2.70';

/** Waits until every message is answered and every reply sent; a minute at most. */
async function untilAnswered({ sql }: Market): Promise<void> {
  for (
    const deadline = performance.now() + 60_000;
    performance.now() < deadline;
    await Bun.sleep(100)
  ) {
    const [row] = await sql<{ n: number }[]>`
      select (select count(*) from chat_updates where state = 'waiting')::int + (select count(*) from outbox where channel <> 'email' and state = 'waiting')::int as n`;
    if (row?.n === 0) return;
  }
}
const say = async (market: Market, chat: number, text: string) => {
  const status = await deliver(market, toTelegram(telegramUpdate(chat, text)), network);
  await untilAnswered(market);
  return status;
};
const linkedTo = async ({ sql }: Market, { userId }: Person): Promise<number> => {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from chats where user_id = ${userId}`;
  return row?.n ?? 0;
};

/** Attacks through the bot's webhooks. */
export const chats: readonly Attack[] = [
  {
    name: 'chats: 4,000 signed messages of five chats',
    settleMs: 1000,
    async run(market) {
      const { heard } = market.networks;
      heard.clear();
      const outcomes = await repeat(4000, 32, (n) =>
        deliver(
          market,
          toWhatsapp(cloudDelivery([cloudMessage(`2376990030${10 + (n % 5)}`, `find ${n}`)]).body),
          network,
        ),
      );
      await untilAnswered(market);
      const replies = [...heard.values()].reduce((sum, n) => sum + n, 0);
      return {
        note: `${inWords(outcomes)}; ${replies} replies`,
        held: replies <= 5 * 60 && !outcomes.has('no answer'),
      };
    },
  },
  {
    name: 'chats: 60 bodies of 3 MB, a third of them signed',
    async run(market) {
      const text = 'x'.repeat(2_900_000);
      const right = toWhatsapp(cloudDelivery([cloudMessage('237699003100', text)]).body);
      const wrong = { ...right, headers: { ...right.headers, 'x-hub-signature-256': 'sha256=0' } };
      const large = { ...right, body: `${right.body}${' '.repeat(400_000)}` };
      // Networks repeat a delivery that was refused.
      const untilTaken = async (n: number, tries = 0): Promise<string | number> => {
        const outcome = await deliver(market, [right, wrong, large][n % 3] ?? right, network);
        if (outcome !== 503 || tries === 50) return outcome;
        await Bun.sleep(200);
        return untilTaken(n, tries + 1);
      };
      const outcomes = await repeat(60, 12, (n) => untilTaken(n));
      await untilAnswered(market);
      return {
        note: inWords(outcomes),
        held: (outcomes.get(403) ?? 0) === 20 && (outcomes.get(413) ?? 0) === 20,
      };
    },
  },
  {
    name: 'chats: twelve photos that are bombs',
    settleMs: 1000,
    async run(market) {
      const seller = 700_001;
      const { code } = await must(
        browser(market, '192.0.2.71').ask<{ code: string }>('/api/chats/code', {
          method: 'POST',
          headers: { cookie: market.seller },
        }),
      );
      await say(market, seller, '/lang en');
      await say(market, seller, `link ${code}`);
      market.networks.picture = tower();
      const uploads = async () =>
        (await market.sql<{ n: number }[]>`select count(*)::int as n from uploads`)[0]?.n ?? 0;
      const before = await uploads();
      const outcomes = await repeat(12, 12, (n) =>
        deliver(
          market,
          toTelegram(
            telegramUpdate(seller, {
              photo: [{ file_id: `bomb-${n}`, file_unique_id: `b${n}`, width: 1, height: 1 }],
            }),
          ),
          network,
        ),
      );
      await untilAnswered(market);
      market.networks.picture = new Uint8Array();
      const kept = (await uploads()) - before;
      return {
        note: `${inWords(outcomes)}; ${kept} kept, ${market.networks.heard.get(String(seller)) ?? 0} replies`,
        held: kept === 0,
      };
    },
  },
  {
    name: 'chats: each of ten messages delivered 50 times, the last one first',
    async run(market) {
      const { heard } = market.networks;
      const chat = 700_100;
      await say(market, chat, '/lang en');
      heard.delete(String(chat));
      const sent = Array.from({ length: 10 }, () =>
        toTelegram(telegramUpdate(chat, 'help')),
      ).reverse();
      const outcomes = await repeat(500, 10, (n) =>
        deliver(market, sent[Math.floor(n / 50)] ?? sent[0] ?? toTelegram({}), network),
      );
      await untilAnswered(market);
      const replies = heard.get(String(chat)) ?? 0;
      return {
        note: `${inWords(outcomes)}; ${replies} replies`,
        held: replies === 10 && outcomes.get(200) === 500,
      };
    },
  },
  {
    name: 'chats: codes of others guessed from 60 chats',
    async run(market) {
      const owner = await join(market, 'coded', '192.0.2.72');
      const { code } = await must(
        owner.ask<{ code: string }>('/api/chats/code', { method: 'POST' }),
      );
      const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
      const guess = () =>
        Array.from({ length: 8 }, () => letters[Math.floor(Math.random() * 32)]).join('');
      const outcomes = await repeat(60 * 15, 16, (n) =>
        deliver(market, toTelegram(telegramUpdate(710_000 + (n % 60), `link ${guess()}`)), network),
      );
      await untilAnswered(market);
      const guessed = await linkedTo(market, owner);
      await say(market, 720_000, '/lang en');
      await say(market, 720_000, `link ${code}`);
      const [own] = [await linkedTo(market, owner)];
      return {
        note: `${inWords(outcomes)}; ${guessed} linked by a guess, the owner’s own code ${own === 1 ? 'links' : 'does NOT link'}`,
        held: guessed === 0 && own === 1,
      };
    },
  },
  {
    name: 'chats: a link of somebody else followed by 20 chats at once',
    async run(market) {
      const owner = await join(market, 'followed', '192.0.2.73');
      const { code } = await must(
        owner.ask<{ code: string }>('/api/chats/code', { method: 'POST' }),
      );
      for (const said of ['/lang en', `/start l-${code.replace('-', '')}`]) {
        await repeat(20, 20, (n) =>
          deliver(market, toTelegram(telegramUpdate(730_000 + n, said)), network),
        );
        await untilAnswered(market);
      }
      const followed = await linkedTo(market, owner);
      const [letters] = await market.sql<
        { n: number }[]
      >`select count(*)::int as n from outbox where recipient = 'followed@attack.example.test' and kind = 'chatLinked'`;
      return {
        note: `${followed} linked, ${letters?.n} letters to the owner`,
        held: followed === 1 && letters?.n === 1,
      };
    },
  },
  {
    name: 'chats: 7,000 deliveries of nobody, beside a true one',
    async run(market) {
      const forged = {
        ...toTelegram(telegramUpdate(740_000, 'help')),
        headers: { 'content-type': 'application/json' },
      };
      const outcomes = await repeat(7000, 32, () => deliver(market, forged, '10.204.0.1'));
      const real = await say(market, 740_001, 'help');
      return {
        note: `${inWords(outcomes)}; the network itself: ${real}`,
        held: real === 200 && !outcomes.has(200),
      };
    },
  },
];
