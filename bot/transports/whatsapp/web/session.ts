import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromChild, Settings, ToChild, WebMessage } from './wire.ts';

const script = fileURLToPath(new URL('child.ts', import.meta.url));

/** Timeouts in milliseconds; `pairingMs` counts from the last code or picture. */
export type SessionTimes = { startMs: number; pairingMs: number; readyMs: number; sendMs: number };

export type Session = {
  send(message: { to: string; text: string; jpeg?: string }, signal?: AbortSignal): Promise<void>;
};

type Options = {
  settings: Settings;
  times: SessionTimes;
  signal: AbortSignal;
  pairing(text: string): void;
  starting(): void;
  ready(session: Session): void;
  hear(message: WebMessage): void;
  left(id: string, at: Date): void;
};

/**
 * Runs one session in a child process; resolves with the reason of its end. Ends one that hangs
 * while starting, pairing or becoming ready.
 */
export function runSession({
  settings,
  times,
  signal,
  ...on
}: Options): Promise<{ reason: string; wasReady: boolean }> {
  // No environment of the market: the child runs third-party pages.
  const { PATH = '', HOME = '' } = process.env;
  const bun = process.versions.bun ? process.execPath : 'bun';
  const child = spawn(bun, [script, JSON.stringify(settings)], {
    env: { PATH, HOME },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  let next = 1;
  let wasReady = false;
  let reason: string | undefined;
  let alarm: ReturnType<typeof setTimeout> | undefined;

  const give = (why: string) => {
    reason ??= why;
    end(child);
  };
  const within = (ms: number, what: string) => {
    clearTimeout(alarm);
    alarm = setTimeout(() => give(`${what} within ${Math.round(ms / 1000)} s`), ms);
  };
  const tell = (told: ToChild) => void child.send(told, () => {});

  const session: Session = {
    send: (message, stop) =>
      new Promise((resolve, reject) => {
        const id = next++;
        const limit = AbortSignal.any([...(stop ? [stop] : []), AbortSignal.timeout(times.sendMs)]);
        limit.addEventListener('abort', () => settle(id, 'WhatsApp Web did not send it in time'), {
          once: true,
        });
        waiting.set(id, { resolve, reject });
        tell({ send: { id, ...message } });
      }),
  };
  function settle(id: number, error?: string): void {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve();
    else one?.reject(new Error(error));
  }

  child.on('message', (said: FromChild) => {
    if (said.event === 'pairing') {
      within(times.pairingMs, 'nobody linked a phone');
      on.pairing(said.text);
    } else if (said.event === 'authenticated') {
      within(times.readyMs, 'authenticated, but not ready');
      on.starting();
    } else if (said.event === 'ready') {
      clearTimeout(alarm);
      wasReady = true;
      on.ready(session);
    } else if (said.event === 'message') on.hear(said.message);
    else if (said.event === 'left') on.left(said.id, new Date(said.timestamp * 1000));
    else if (said.event === 'sent') settle(said.id, said.error);
    else give(said.reason);
  });

  const stop = () => give('told to');
  signal.addEventListener('abort', stop);
  within(times.startMs, 'WhatsApp Web did not open');
  return new Promise((resolve) => {
    const over = (why: string) => {
      clearTimeout(alarm);
      signal.removeEventListener('abort', stop);
      for (const id of [...waiting.keys()]) settle(id, 'WhatsApp Web is gone');
      resolve({ reason: reason ?? why, wasReady });
    };
    child.on('exit', (code, killed) => over(`its process ended (${killed ?? code})`));
    child.on('error', (error) => over(error.message));
  });
}

/** Kills the child, and its browser, after eight seconds. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) child.send({ end: true } satisfies ToChild, () => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), 8000);
  child.once('exit', () => clearTimeout(timer));
}
