import { setTimeout as pause } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import type { Sql } from 'postgres';
import type { Log } from '../../../api/ops/log.ts';
import type { Channel } from '../channel.ts';
import { inOneProcess } from '../oneProcess.ts';
import { wantedUpdates } from './update.ts';

export type Polling = { stop(): Promise<void> };
/**
 * Milliseconds, except `pollSeconds`: between attempts to take the lock, and between failed polls.
 */
export type PollTimes = {
  lockMs: number;
  failureMs: number;
  longestMs: number;
  pollSeconds: number;
};
const usual: PollTimes = { lockMs: 10_000, failureMs: 1000, longestMs: 60_000, pollSeconds: 30 };

type Options = {
  api: Api;
  botId: number;
  sql: Sql;
  log: Log;
  channel: Channel;
  hear(update: Update): Promise<void>;
  /** Called once polling may begin. */
  present(): Promise<void>;
  times?: PollTimes;
};

/**
 * Polls in one process per token. The next poll acknowledges an update, so it is stored first.
 * Errors are logged and retried.
 */
export function startPolling({
  api,
  botId,
  sql,
  log,
  channel,
  hear,
  present,
  times = usual,
}: Options): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});

  async function pollWhile(held: () => Promise<boolean>): Promise<void> {
    let offset = 0;
    let failures = 0;
    while (!signal.aborted && (await held())) {
      try {
        const updates = await api.getUpdates(
          { offset, timeout: times.pollSeconds, allowed_updates: wantedUpdates },
          signal as never,
        );
        for (const update of updates) {
          await hear(update);
          offset = update.update_id + 1;
        }
        failures = 0;
        channel.state('connected');
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        log.warn('Telegram could not be asked for messages', { failures, error });
        channel.failed(error);
        if (failures > 1) channel.state('failing');
        const told = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0;
        await wait(
          Math.max(told, Math.min(times.failureMs * 2 ** (failures - 1), times.longestMs)),
        );
      }
    }
  }

  const running = inOneProcess({
    sql,
    name: `telegram:${botId}`,
    lockMs: times.lockMs,
    signal,
    async work(held) {
      // An earlier webhook would keep all updates to itself.
      await api.deleteWebhook({}, signal as never);
      void present();
      await pollWhile(held);
    },
    failed(error) {
      log.warn('The bot could not begin to ask for messages', { error });
      channel.failed(error);
    },
  });

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
