import { eq, isNull } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { writeReplies } from '../../../api/chats/replies.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { openBot } from '../../../bot/open.ts';
import { connect, schema, type Target } from '../../../db/client.ts';
import { linkedPhone } from '../linkedPhone.ts';
import { compared, median, percentile, type Result, ratioAtMost } from '../report.ts';
import { type Bench, residentMegabytes } from '../testbed.ts';

export const names = [
  'chat: reply',
  'chat: statements',
  'chat: 1,000 at once',
  'chat: notices',
  'chat: memory at rest',
  'chat: memory with WhatsApp',
];
const [crowd, messages, warming, rounds] = [1000, 200, 20, 3];
const token = '4242:a-token-that-only-this-bench-knows';
const secret = 'a-secret-that-only-this-bench-knows';
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

/** A Bot API that accepts every message at once and tracks which chats got one. */
function quickTelegram() {
  const heard = new Map<number, number>();
  let tell: () => void = () => {};
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      if (request.url.endsWith('/getUpdates')) {
        await Bun.sleep(20_000);
        return Response.json({ ok: true, result: [] });
      }
      const form = request.headers.get('content-type')?.startsWith('multipart/');
      const body = form
        ? Object.fromEntries((await request.formData()).entries())
        : ((await request.json()) as Record<string, unknown>);
      if (/\/send/.test(request.url))
        heard.set(Number(body.chat_id), (heard.get(Number(body.chat_id)) ?? 0) + 1);
      tell();
      return Response.json({
        ok: true,
        result: { message_id: 1, date: 0, chat: { id: 1, type: 'private' } },
      });
    },
  });
  return {
    root: `http://127.0.0.1:${server.port}`,
    heard,
    /** Settles once so many chats got a message. */
    async until(chats: number): Promise<void> {
      while (heard.size < chats) await new Promise<void>((resolve) => (tell = resolve));
    },
    stop: () => server.stop(true),
  };
}

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
  const telegram = quickTelegram();
  let statements = 0;
  const counted: Target =
    typeof bench.target === 'string'
      ? bench.target
      : { ...bench.target, debug: () => void statements++ };
  const { db, sql, close } = connect(counted, { max: 16 });
  const services = {
    ...bench.ctx.services,
    env: {
      ...bench.ctx.services.env,
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_API_ROOT: telegram.root,
      TELEGRAM_WEBHOOK: true,
      TELEGRAM_WEBHOOK_SECRET: secret,
    },
  };
  const bot = openBot({ db, sql, services, now: () => new Date() });
  let next = 1;
  async function write(chat: number, text: string): Promise<void> {
    const person = { id: chat, type: 'private', first_name: 'Somebody' };
    const update = {
      update_id: next++,
      message: { message_id: 1, date: 0, chat: person, from: person, text },
    };
    const headers = {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': secret,
    };
    const { status } = await bot.webhooks.request('/telegram', {
      method: 'POST',
      headers,
      body: JSON.stringify(update),
    });
    if (status !== 200) throw new Error(`The bot's door answered ${status}`);
  }
  /** Chats that have chosen their language and await nothing. */
  async function begin(from: number, count: number): Promise<void> {
    telegram.heard.clear();
    await Promise.all(Array.from({ length: count }, (_, n) => write(from + n, '/lang en')));
    await telegram.until(count);
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
      telegram.heard.clear();
      const [before, started] = [statements, performance.now()];
      await write(1 + ((n + warming) % crowd), asked[(n + warming) % asked.length] ?? '');
      await telegram.until(1);
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
      telegram.heard.clear();
      const started = performance.now();
      await Promise.all(
        Array.from({ length: crowd }, (_, n) =>
          write(1 + n, asked[(n + round) % asked.length] ?? ''),
        ),
      );
      await telegram.until(crowd);
      together.push((performance.now() - started) / 1000);
      bench.say(`round ${round + 1}: ${together.at(-1)?.toFixed(1)} s`);
      while ((await bench.db.$count(schema.outbox)) > 0) await Bun.sleep(20);
      lost += [...telegram.heard.values()].filter((times) => times !== 1).length;
      lost += await bench.db.$count(schema.chatUpdates, eq(schema.chatUpdates.state, 'waiting'));
    }

    bench.say('notices');
    const speeds: number[] = [];
    const chats = await bench.db
      .select({ transport: schema.chats.transport, keyHash: schema.chats.keyHash })
      .from(schema.chats);
    for (let round = 0; round < rounds; round++) {
      telegram.heard.clear();
      await inTransaction({ ...bench.ctx, services }, async (tx) => {
        for (const chat of chats) await writeReplies(tx, chat, [{ text: 'Your listing is live' }]);
      });
      const started = performance.now();
      await telegram.until(chats.length);
      speeds.push((chats.length / (performance.now() - started)) * 1000);
      while ((await bench.db.$count(schema.outbox)) > 0) await Bun.sleep(20);
    }

    bench.say('memory of a server with the bot and without');
    const [own, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [figures, options] of [
        [own, { telegram: telegram.root }],
        [bare, {}],
      ] as const) {
        const market = await bench.market(options);
        await fetch(market.url).then((response) => response.text());
        await Bun.sleep(2000);
        figures.push(await residentMegabytes(market.pid));
        await market.stop();
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
      compared(
        'chat: memory at rest',
        'MB',
        own,
        bare,
        undefined,
        'a fresh server with the bot on Telegram; the reference is one without',
      ),
      await linkedPhone(bench, rounds),
    ];
  } finally {
    await bot.stop();
    telegram.stop();
    await close();
    await bench.sql`delete from outbox`;
    await bench.sql`delete from chat_updates`;
    await bench.sql`delete from chats`;
  }
}
