import { setTimeout as pause } from 'node:timers/promises';
import type { Testbed, Victim } from '../testbed/market.ts';
import type { Act } from './acts.ts';

export type Outcome = {
  seed: number;
  kills: Record<Victim, number>;
  requests: number;
  acknowledged: number;
  /** Acknowledged writes, by the act's name. */
  of: Record<string, number>;
  /** Requests without an answer, or whose answer allows a retry. */
  cutOff: number;
  refusals: Record<string, number>;
  violations: string[];
  lost: string[];
};
/**
 * Promises by act: texts, or the last one by subject; and requests that may have been carried out
 * unanswered.
 */
export type Promises = Map<string, { texts: string[]; last: Map<string, string>; unheard: number }>;

type Found = Pick<Outcome, 'violations' | 'lost'>;

const countsOf = (texts: readonly string[]) =>
  new Map([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));

/** Compares promises and rules with the database. */
export async function reckon(
  { sql, command }: Pick<Testbed, 'sql' | 'command'>,
  found: Found,
  acts: readonly Pick<Act, 'name' | 'kept' | 'held'>[],
  promises: Promises,
): Promise<void> {
  const { lost, violations } = found;
  for (const { name, kept, held } of acts) {
    const { texts, last, unheard } = promises.get(name) ?? {
      texts: [],
      last: new Map<string, string>(),
      unheard: 0,
    };
    const there = countsOf(await kept(sql));
    // Equal answers are one promise, unless two requests without a key got them.
    const promised =
      held === 'last'
        ? countsOf([...last.values()])
        : held === 'once'
          ? new Map(texts.map((text) => [text, 1]))
          : countsOf(texts);
    for (const [text, times] of promised)
      if ((there.get(text) ?? 0) < times) lost.push(`${name} ${text}`);
    if (held === 'last') continue;
    const more = [...there].filter(([text, times]) => times > (promised.get(text) ?? 0));
    if (held === 'once')
      violations.push(
        ...more.map(
          ([text, times]) =>
            `${name} ${text} is there ${times} times, and was acknowledged ${promised.get(text) ?? 0}`,
        ),
      );
    const unknown = more.reduce((sum, [text, times]) => sum + times - (promised.get(text) ?? 0), 0);
    if (held === 'counted' && unknown > unheard)
      violations.push(
        `${name} was done ${unknown} times unheard, and ${unheard} requests had no answer`,
      );
  }
  const late =
    await sql`select id from purchases where status = 'pending' and purchase_method <> 'cash_partner' and created_at < now() - interval '10 seconds'`;
  violations.push(...late.map(({ id }) => `purchase ${id} was paid and never completed`));
  const [check, ...chains] = await Promise.all(
    [
      'api/commands/checkMarket.ts',
      'api/commands/verifyCredits.ts',
      'api/commands/verifyQueue.ts',
    ].map((file) => command(file)),
  );
  const broken = [...(check?.said ?? '').matchAll(/^✗ (\w+)/gm)].map(([, name]) => String(name));
  violations.push(
    ...(check?.code !== 0 && broken.length === 0 ? [`check: ${check?.said}`] : broken),
  );
  violations.push(...chains.filter(({ code }) => code !== 0).map(({ said }) => said));
}

/** Seconds that waiting deliveries may take. */
const patience = 60;

/**
 * Waits until every message is answered and every reply sent, after the last kill. Leases of killed
 * processes are made to end now.
 */
export async function finishMessages(
  { sql, heard }: Pick<Testbed, 'sql' | 'heard'>,
  { violations }: Pick<Found, 'violations'>,
): Promise<void> {
  if (!heard) return;
  await pause(1000);
  await sql`update chat_updates set next_attempt_at = now() where state = 'waiting'`;
  await sql`update outbox set next_attempt_at = now() where state = 'waiting'`;
  for (const until = performance.now() + patience * 1000; ; await pause(200)) {
    await sql`select pg_notify('chats', 'due'), pg_notify('outbox', 'due')`;
    const waiting = await sql<{ what: string }[]>`
      select 'message ' || update_id as what from chat_updates where state = 'waiting'
      union all select channel || ' ' || kind || ' ' || coalesce(last_error, '') from outbox where state = 'waiting'`;
    if (waiting.length === 0) break;
    if (performance.now() < until) continue;
    violations.push(...waiting.map(({ what }) => `${what} still waits`));
    break;
  }
  const given = await sql<
    { what: string }[]
  >`select 'message ' || update_id as what from chat_updates where state = 'failed'
    union all select channel || ' ' || kind || ' ' || coalesce(last_error, '') from outbox where state = 'failed'`;
  violations.push(...given.map(({ what }) => `${what} was given up`));
}
