import { type Noted, noteChannel } from '../../api/chats/channels.ts';
import { type ChannelState, channelTimes } from '../../api/chats/rules.ts';
import type { Ctx } from '../../api/core/context.ts';
import { Later, type Post } from '../../api/outbox/delivery.ts';

export type Channel = {
  /** Stores a changed state at once, then repeats it while this process runs. */
  state(state: Exclude<ChannelState, 'off'>, pairing?: string): void;
  received(): void;
  failed(error: unknown): void;
  /** Records sends and failures. */
  watched(post: Post): Post;
  stop(): Promise<void>;
};

/** Milliseconds. Batched, so that a message costs no extra statement. */
const gatherMs = 5000;

export function createChannel(
  ctx: Ctx,
  transport: Noted['transport'],
  client: Noted['client'],
): Channel {
  let running: Pick<Noted, 'state' | 'pairing'> | undefined;
  let news: Pick<Noted, 'receivedAt' | 'sentAt' | 'failedAt' | 'failure'> = {};
  let gathering: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** In sequence, so that the last state wins. */
  function write(said: Pick<Noted, 'state' | 'pairing'> = running ?? {}): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    writing = writing.then(async () => {
      const noted = { transport, client, ...said, ...news };
      news = {};
      await noteChannel(ctx, noted).catch((error) =>
        ctx.services.log.warn('The state of a chat network could not be kept', {
          transport,
          error,
        }),
      );
    });
    return writing;
  }
  function note(more: typeof news): void {
    news = { ...news, ...more };
    gathering ??= setTimeout(() => void write(), gatherMs).unref();
  }
  function failed(error: unknown): void {
    note({ failedAt: ctx.now(), failure: error instanceof Error ? error.message : String(error) });
  }
  let beat: NodeJS.Timeout | undefined;

  return {
    state(state, pairing) {
      if (running && running.state === state && running.pairing === pairing) return;
      beat ??= setInterval(() => void write(), channelTimes.beatMs).unref();
      running = pairing === undefined ? { state } : { state, pairing };
      void write();
    },
    received: () => note({ receivedAt: ctx.now() }),
    failed,
    watched: (post) => ({
      ...post,
      async send(sender, message, signal) {
        try {
          await post.send(sender, message, signal);
          note({ sentAt: ctx.now() });
        } catch (error) {
          if (!(error instanceof Later) || error.fault) failed(error);
          throw error;
        }
      },
    }),
    async stop() {
      clearInterval(beat);
      if (running || gathering) await write(running && { state: 'off' });
      await writing;
    },
  };
}
