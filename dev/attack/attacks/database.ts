import { prices } from '../../../api/credits/rules.ts';
import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { join, post } from '../people.ts';
import { inWords, status } from '../requests.ts';

/** Ends connections of the market one by one, with a pause after each. */
async function endConnections({ sql }: Market, times: number, restMs: number): Promise<number> {
  let ended = 0;
  for (let n = 0; n < 3 * times && ended < times; n++) {
    // May include this program's own second connection.
    const rows = await sql<{ pid: number }[]>`
      select pg_terminate_backend(pid), pid from pg_stat_activity
      where datname = 'marche54' and pid <> pg_backend_pid() and backend_type = 'client backend' order by random() limit 1`.catch(
      () => [],
    );
    ended += rows.length;
    await Bun.sleep(restMs);
  }
  return ended;
}

/** Repeats an act until stopped. */
function keepDoing(everyMs: number, act: () => Promise<unknown>): { stop(): Promise<void> } {
  let going = true;
  const done = (async () => {
    for (; going; await Bun.sleep(everyMs)) await act();
  })();
  return {
    async stop() {
      going = false;
      await done;
    },
  };
}

/**
 * A member who keeps publishing posts. Each acknowledged post must exist and be paid for exactly
 * once.
 */
async function publishing(
  market: Market,
): Promise<{ stop(): Promise<{ note: string; held: boolean }> }> {
  const credits = 2000;
  const writer = await join(market, 'writing', '192.0.2.80', credits);
  const statuses = new Map<string | number, number>();
  const acknowledged: string[] = [];
  let n = 0;
  const writing = keepDoing(40, async () => {
    const title = `Written ${++n}`;
    const headers = { 'idempotency-key': `written-under-fire-${n}` };
    // Repeats an inconclusive request under the same key, as every form does.
    for (let tries = 0; tries < 20; tries++) {
      const outcome = await writer
        .ask<{ reference: string }>('/api/connect/posts', { json: post(title), headers })
        .catch(() => undefined);
      const status = outcome?.status ?? 'no answer';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (outcome && outcome.status < 300) acknowledged.push(outcome.body.reference);
      if (outcome && outcome.status < 500) return;
      await Bun.sleep(30);
    }
  });
  return {
    async stop() {
      await writing.stop();
      const kept = await market.sql<
        { reference: string }[]
      >`select reference from connect_posts where user_id = ${writer.userId}`;
      const [account] = await market.sql<
        { balance: number }[]
      >`select balance from credit_accounts where user_id = ${writer.userId}`;
      const known = new Set(kept.map(({ reference }) => reference));
      const lost = acknowledged.filter((reference) => !known.has(reference)).length;
      const paid = account?.balance === credits - kept.length * prices.post;
      return {
        note: `${acknowledged.length} posts acknowledged (${inWords(statuses)}), ${lost} lost, ${paid ? 'each paid once' : 'NOT each paid once'}`,
        held: lost === 0 && kept.length === acknowledged.length && paid && onlyRefusals(statuses),
      };
    },
  };
}

/** No missing answers, and no failure except the one that asks to come back. */
const onlyRefusals = (statuses: Map<string | number, number>): boolean =>
  [...statuses.keys()].every(
    (status) => status !== 'no answer' && (Number(status) < 500 || status === 503),
  );

/** Failures of the database, partial and whole. */
export const database: readonly Attack[] = [
  {
    name: 'database: 600 connections ended, 80 a second, under reads and writes',
    want: 5,
    settleMs: 1000,
    async run(market) {
      const { url } = market;
      let longest = 0;
      const statuses = new Map<string | number, number>();
      const read = async () => {
        const started = performance.now();
        const outcome = await status(`${url}/api/slots`).catch(() => 'no answer');
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
        longest = Math.max(longest, performance.now() - started);
      };
      const writer = await publishing(market);
      // Stays within one address's limit: refused requests read nothing.
      const readers = Array.from({ length: 4 }, () => keepDoing(110, read));
      const started = performance.now();
      const ended = await endConnections(market, 600, 8);
      const rate = ended / ((performance.now() - started) / 1000);
      for (const reader of readers) await reader.stop();
      const written = await writer.stop();
      const healthy = await status(`${url}/readyz`);
      return {
        note: `${ended} ended, ${rate.toFixed(0)} a second; reads ${inWords(statuses)}, longest ${Math.round(longest)} ms; ${written.note}; /readyz ${healthy}`,
        held: healthy === 200 && longest < 20_000 && written.held && onlyRefusals(statuses),
      };
    },
  },
  {
    name: 'database: its main process killed',
    settleMs: 1000,
    async run({ url, postmaster }) {
      const { pid } = await postmaster();
      process.kill(pid, 'SIGKILL');
      const started = performance.now();
      let ready = 0;
      while (ready !== 200 && performance.now() - started < 60_000) {
        await Bun.sleep(50);
        ready = await status(`${url}/readyz`).catch(() => 0);
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      return {
        note: ready === 200 ? `answers again after ${seconds} s` : 'never came back',
        held: ready === 200,
      };
    },
  },
];
