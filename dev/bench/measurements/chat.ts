import { eq, isNull } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { writeReplies } from '../../../api/chats/replies.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { openBot } from '../../../bot/open.ts';
import { connect, schema, type Target } from '../../../db/client.ts';
import { openNetworks, telegramUpdate, toTelegram } from '../../testbed/networks.ts';
import { median, percentile, type Result, ratioAtMost } from '../../testbed/report.ts';
import type { Bench } from '../testbed.ts';

export const names = ['chat: reply', 'chat: statements', 'chat: 1,000 at once', 'chat: notices'];
const [crowd, messages, warming, rounds] = [1000, 200, 20, 3];
/** Messages, in turn, each in a chat of its own. */
const asked = [
  'market',
  'find solar',
  'show 11',
  'help',
  'price 20000',
  'categories',
  'contact 12',
  'places',
];

/** Milliseconds of two rows written one after the other, as a reply does. */
async function twoCommits(sql: Sql): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < 2; n++) await sql`insert into bench_commits values (now())`;
  return performance.now() - started;
}

/**
 * Time from an update at the webhook until Telegram has the reply, its database cost, and how many
 * run at once.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const networks = openNetworks();
  const { heard } = networks;
  /** Settles once so many chats got a message. */
  const until = async (chats: number) => {
    while (heard.size < chats) await networks.sent();
  };
  let statements = 0;
  const counted: Target =
    typeof bench.target === 'string'
      ? bench.target
      : { ...bench.target, debug: () => void statements++ };
  const { db, sql, close } = connect(counted, { max: 16 });
  const services = {
    ...bench.ctx.services,
    env: { ...bench.ctx.services.env, ...networks.telegram, TELEGRAM_WEBHOOK: true },
  };
  const bot = openBot({ db, sql, services, now: () => new Date() });
  async function write(chat: number, text: string): Promise<void> {
    const { path, ...init } = toTelegram(telegramUpdate(chat, text));
    const { status } = await bot.webhooks.request(path.replace('/bot', ''), {
      method: 'POST',
      ...init,
    });
    if (status !== 200) throw new Error(`The bot's door answered ${status}`);
  }
  /** Chats that have chosen their language and await nothing. */
  async function begin(from: number, count: number): Promise<void> {
    heard.clear();
    await Promise.all(Array.from({ length: count }, (_, n) => write(from + n, '/lang en')));
    await until(count);
    await db.update(schema.chats).set({ language: 'en' }).where(isNull(schema.chats.language));
    while ((await db.$count(schema.outbox)) > 0) await Bun.sleep(20);
  }
  try {
    await bot.start();
    bench.say('single messages in a chat');
    await begin(1, crowd);
    await sql`create table if not exists bench_commits (at timestamptz not null)`;
    const [took, cost, alone]: [number[], number[], number[]] = [[], [], []];
    for (let n = -warming; n < messages; n++) {
      heard.clear();
      const [before, started] = [statements, performance.now()];
      await write(1 + ((n + warming) % crowd), asked[(n + warming) % asked.length] ?? '');
      await until(1);
      const ms = performance.now() - started;
      // The outbox row is deleted last.
      while ((await bench.db.$count(schema.outbox)) > 0) await Bun.sleep(1);
      if (n >= 0) {
        took.push(ms);
        cost.push(statements - before);
        alone.push(await twoCommits(sql));
      }
    }
    const p95 = percentile(took, 0.95);
    await sql`drop table bench_commits`;
    const alone95 = percentile(alone, 0.95);

    bench.say(`p95 ${p95.toFixed(1)} ms; ${crowd} chats at once`);
    const together: number[] = [];
    let lost = 0;
    for (let round = 0; round < rounds; round++) {
      heard.clear();
      const started = performance.now();
      await Promise.all(
        Array.from({ length: crowd }, (_, n) =>
          write(1 + n, asked[(n + round) % asked.length] ?? ''),
        ),
      );
      await until(crowd);
      together.push((performance.now() - started) / 1000);
      bench.say(`round ${round + 1}: ${together.at(-1)?.toFixed(1)} s`);
      while ((await bench.db.$count(schema.outbox)) > 0) await Bun.sleep(20);
      lost += [...heard.values()].filter((times) => times !== 1).length;
      lost += await bench.db.$count(schema.chatUpdates, eq(schema.chatUpdates.state, 'waiting'));
    }

    bench.say('notices');
    const speeds: number[] = [];
    const chats = await bench.db
      .select({ transport: schema.chats.transport, keyHash: schema.chats.keyHash })
      .from(schema.chats);
    for (let round = 0; round < rounds; round++) {
      heard.clear();
      await inTransaction({ ...bench.ctx, services }, async (tx) => {
        for (const chat of chats) await writeReplies(tx, chat, [{ text: 'Your listing is live' }]);
      });
      const started = performance.now();
      await until(chats.length);
      speeds.push((chats.length / (performance.now() - started)) * 1000);
      while ((await bench.db.$count(schema.outbox)) > 0) await Bun.sleep(20);
    }

    return [
      {
        name: 'chat: reply',
        value: p95,
        unit: 'ms',
        reference: alone95,
        ratio: p95 / alone95,
        ...ratioAtMost(2)(p95 / alone95),
        note: `p95 of ${messages} from an update at the door until Telegram has the reply, against the two commits of one alone; median ${median(took).toFixed(1)} ms`,
      },
      {
        name: 'chat: statements',
        value: median(cost),
        unit: 'a message',
        note: `stored, answered and sent; the most was ${Math.max(...cost)}`,
      },
      {
        name: 'chat: 1,000 at once',
        value: median(together),
        unit: 's',
        want: 'none lost',
        met: lost === 0,
        note: `until the last has its reply; ${Math.round(crowd / median(together))} a second, ${lost} lost or doubled in ${rounds} rounds`,
      },
      {
        name: 'chat: notices',
        value: median(speeds),
        unit: '/s',
        note: `to ${chats.length} chats, with a Telegram that takes each at once`,
      },
    ];
  } finally {
    await bot.stop();
    networks.stop();
    await close();
    await bench.sql`delete from outbox`;
    await bench.sql`delete from chat_updates`;
    await bench.sql`delete from chats`;
  }
}
