import { setTimeout as pause } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import type { Sql } from 'postgres';
import type { Log } from '../../api/core/log.ts';
import { wantedUpdates } from './update.ts';

export type Polling = { stop(): Promise<void> };
/** In milliseconds: before another process is asked whether it still polls, and between failures. */
export type PollTimes = { lockMs: number; failureMs: number; longestMs: number; pollSeconds: number };
const usual: PollTimes = { lockMs: 10_000, failureMs: 1000, longestMs: 60_000, pollSeconds: 30 };

type Options = { api: Api; botId: number; sql: Sql; log: Log; hear(update: Update): Promise<void>; times?: PollTimes };

/**
 * Asks Telegram for updates, in one process a token: a lock in the database, on a connection of its own, keeps the others waiting until that process
 * ends. An update is acknowledged with the next question, so only when it is stored. Nothing that fails here reaches anything else.
 */
export function startPolling({ api, botId, sql, log, hear, times = usual }: Options): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});

  async function pollWhile(held: () => Promise<boolean>): Promise<void> {
    let offset = 0;
    let failures = 0;
    while (!signal.aborted && (await held())) {
      try {
        const updates = await api.getUpdates({ offset, timeout: times.pollSeconds, allowed_updates: wantedUpdates }, signal as never);
        for (const update of updates) {
          await hear(update);
          offset = update.update_id + 1;
        }
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        log.warn('Telegram could not be asked for messages', { failures, error });
        const told = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0;
        await wait(Math.max(told, Math.min(times.failureMs * 2 ** (failures - 1), times.longestMs)));
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const line = await sql.reserve();
        try {
          const [lock] = await line<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${`bot:telegram:${botId}`}, 54)) as taken`;
          if (lock?.taken) {
            // A webhook that was set before would keep every update to itself.
            await api.deleteWebhook({}, signal as never);
            // The lock goes with its line; so does the right to ask.
            await pollWhile(async () => (await line`select 1`).length === 1);
            await line`select pg_advisory_unlock(hashtextextended(${`bot:telegram:${botId}`}, 54))`;
          }
        } finally {
          line.release();
        }
      } catch (error) {
        if (!signal.aborted) log.warn('The bot could not begin to ask for messages', { error });
      }
      await wait(times.lockMs);
    }
  }
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
