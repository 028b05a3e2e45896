import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { renderUnicodeCompact } from 'uqr';
import { closeNumber } from '../../../../api/chats/closed/closeNumber.ts';
import type { Env } from '../../../../api/ops/env.ts';
import { Refusal } from '../../../../api/shared/errors.ts';
import { makePrivate } from '../../../../db/privacy.ts';
import { tooBig } from '../../../messages/photos.ts';
import { createChannel } from '../../channel.ts';
import { inOneProcess } from '../../oneProcess.ts';
import type { BotTransport, Opening } from '../../transport.ts';
import { chromiumHere, noChromium } from './chromium.ts';
import { webPost } from './deliver.ts';
import { runSession, type SessionTimes } from './session.ts';
import { addressOf, readMessage } from './update.ts';
import type { Settings } from './wire.ts';

/** Milliseconds. `failureMs` doubles with each session that was never ready, up to `longestMs`. */
export type WebTimes = SessionTimes & {
  lockMs: number;
  heldMs: number;
  failureMs: number;
  longestMs: number;
  breathMs: number;
};
const usual: WebTimes = {
  ...{ startMs: 120_000, pairingMs: 200_000, readyMs: 120_000, sendMs: 60_000 },
  ...{ lockMs: 10_000, heldMs: 20_000, failureMs: 5000, longestMs: 600_000, breathMs: 700 },
};
/** Size limit of photos (product R43). */
const mostBytes = 5 * 1024 * 1024;

/** For tests. */
export type WebOptions = {
  times?: Partial<WebTimes>;
  page?: Settings['page'];
  show?: (text: string) => void;
};

/** For linking in the terminal: a code to type, or else a QR code. */
const pairingText = ({ WHATSAPP_NUMBER }: Env, text: string) =>
  WHATSAPP_NUMBER
    ? `WhatsApp, Linked devices, Link with phone number: ${text.slice(0, 4)}-${text.slice(4)}`
    : renderUnicodeCompact(text);

/** Makes the session's folder and says where it is. */
function settingsOf({ DATA_DIR, WHATSAPP_NUMBER: number }: Env): Omit<Settings, 'chromium'> {
  const folder = join(resolve(DATA_DIR), 'whatsapp');
  // The session gives access to the number; the library would use the umask.
  makePrivate(folder);
  return { folder, mostBytes, ...(number ? { number } : {}) };
}

/** The session may have ended or run in another process, so the bytes came with the message. */
const fetchPhoto: BotTransport['fetchPhoto'] = async (ref, most) => {
  if (!ref.startsWith('data:'))
    throw ref === 'tooBig' ? tooBig(most) : new Refusal('uploads.notImage', { name: 'photo' });
  const bytes = Buffer.from(ref.slice('data:'.length), 'base64');
  if (bytes.byteLength > most) throw tooBig(most);
  return new Uint8Array(bytes);
};

/**
 * WhatsApp through a linked phone, if WHATSAPP_WEB=1: one session in one process, restarted with
 * growing pauses.
 */
export function webTransport(
  { host, ctx, receive }: Opening,
  { times: given, page, show = (text) => process.stdout.write(`${text}\n`) }: WebOptions = {},
) {
  const { env, log, secret } = host.services;
  if (!env.WHATSAPP_WEB) return undefined;
  const times = { ...usual, ...given };
  const channel = createChannel(ctx, 'whatsapp', 'web');
  let failures = 0;

  async function once(
    chromium: string,
    deliver: Parameters<BotTransport['start']>[0],
    signal: AbortSignal,
  ) {
    let quiet: ReturnType<typeof deliver> | undefined;
    let hearing: Promise<void> = Promise.resolve();
    const unheard = new AbortController();
    /** In sequence. What fails is still unread on the phone; the next session reads it again. */
    const keep = (heard: () => Promise<void>) => {
      hearing = hearing.then(heard).catch((error) => {
        log.error('A message on WhatsApp could not be stored', { error });
        unheard.abort();
      });
    };
    channel.state('starting');
    const outcome = await runSession({
      settings: { ...settingsOf(env), chromium, ...(page ? { page } : {}) },
      times,
      signal: AbortSignal.any([signal, unheard.signal]),
      pairing(text) {
        channel.state('pairing', text);
        show(pairingText(env, text));
      },
      starting: () => channel.state('starting'),
      ready(session) {
        channel.state('connected');
        quiet ??= deliver(channel.watched(webPost(session, times.breathMs)));
      },
      hear(message) {
        const incoming = readMessage(secret, message);
        if (!incoming) return;
        channel.received();
        keep(() => receive(incoming));
      },
      left: (id, at) =>
        keep(() => closeNumber(ctx, 'whatsapp', { address: addressOf(id) ?? id, at })),
    });
    await (await quiet)?.();
    await hearing;
    return outcome;
  }

  /** Runs sessions until the signal, with growing pauses between them. */
  async function keepOn(deliver: Parameters<BotTransport['start']>[0], signal: AbortSignal) {
    while (!signal.aborted) {
      const chromium = chromiumHere({ ...process.env, CHROMIUM: env.CHROMIUM });
      const { reason, wasReady } = chromium
        ? await once(chromium, deliver, signal)
        : { reason: noChromium, wasReady: false };
      if (signal.aborted) return;
      failures = wasReady ? 1 : failures + 1;
      const wait = Math.min(times.failureMs * 2 ** (failures - 1), times.longestMs);
      log[chromium ? 'warn' : 'error']('WhatsApp Web is not connected', {
        reason,
        failures,
        again: `in ${Math.round(wait / 1000)} s`,
      });
      channel.failed(reason);
      channel.state('failing');
      await pause(wait, undefined, { signal }).catch(() => {});
    }
  }

  const transport: BotTransport = {
    transport: 'whatsapp',
    fetchPhoto,
    async start(deliver) {
      const stopping = new AbortController();
      const running = inOneProcess({
        sql: host.sql,
        name: 'whatsapp:web',
        lockMs: times.lockMs,
        signal: stopping.signal,
        async work(held) {
          const over = new AbortController();
          const signal = AbortSignal.any([stopping.signal, over.signal]);
          // Losing the database connection loses the lock.
          const watch = setInterval(() => void held().catch(() => over.abort()), times.heldMs);
          try {
            await keepOn(deliver, signal);
          } finally {
            clearInterval(watch);
          }
        },
        failed(error) {
          log.warn('WhatsApp Web could not begin', { error });
          channel.failed(error);
        },
      });
      return async () => {
        stopping.abort();
        await running;
        await channel.stop();
      };
    },
  };
  return transport;
}
