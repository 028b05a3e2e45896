import { randomUUID } from 'node:crypto';
import type { Reply } from '../core/chatMessages.ts';
import type { DemoMessage, DemoNetwork, Heard } from '../core/demoPorts.ts';

type Screen = { lines: DemoMessage[]; next: number; waiting: Set<() => void> };

/** The demo may be open to many. */
const most = { screens: 300, lines: 120, photoBytes: 24 * 1024 * 1024 };

/**
 * The demo's in-memory chat network, in Telegram's place. A screen is known by its address alone,
 * so the address must stay with its browser.
 */
export function createDemoNetwork(now: () => Date = () => new Date()): DemoNetwork {
  const screens = new Map<string, Screen>();
  const photos = new Map<string, { address: string; bytes: Uint8Array }>();
  let photoBytes = 0;
  let hear: ((heard: Heard) => Promise<void>) | undefined;
  let forgotten: (address: string) => void = () => {};

  function screenOf(address: string): Screen {
    const screen = screens.get(address) ?? { lines: [], next: 1, waiting: new Set() };
    // Moves the screen to the end: the one unused longest goes first.
    screens.delete(address);
    screens.set(address, screen);
    for (const [oldest] of screens) {
      if (screens.size <= most.screens) break;
      forget(oldest);
    }
    return screen;
  }

  function add(address: string, line: Omit<DemoMessage, 'id' | 'at'>): void {
    const screen = screenOf(address);
    screen.lines.push({ ...line, id: screen.next++, at: now().toISOString() });
    screen.lines.splice(0, Math.max(0, screen.lines.length - most.lines));
    for (const wake of screen.waiting) wake();
  }

  function keepPhoto(address: string, bytes: Uint8Array): string {
    const ref = randomUUID();
    photos.set(ref, { address, bytes });
    photoBytes += bytes.byteLength;
    for (const [oldest, photo] of photos) {
      if (photoBytes <= most.photoBytes) break;
      photos.delete(oldest);
      photoBytes -= photo.bytes.byteLength;
    }
    return ref;
  }

  function forget(address: string): void {
    for (const wake of screens.get(address)?.waiting ?? []) wake();
    screens.delete(address);
    forgotten(address);
  }

  return {
    /** Returns a function that stops listening. */
    listen(
      to: (heard: Heard) => Promise<void>,
      onForgotten: (address: string) => void,
    ): () => void {
      hear = to;
      forgotten = onForgotten;
      return () => {
        hear = undefined;
      };
    },
    get open() {
      return hear !== undefined;
    },
    /** Hands a message to the bot; none is lost. */
    async write(
      address: string,
      {
        text,
        number,
        photo,
      }: { text: string; number?: string | undefined; photo?: Uint8Array | undefined },
    ): Promise<void> {
      const ref = photo && keepPhoto(address, photo);
      add(address, {
        mine: true,
        text,
        ...(ref ? { photo: ref } : {}),
        ...(number ? { shared: true as const } : {}),
      });
      const message = {
        text,
        ...(number ? { number } : {}),
        ...(ref ? { photos: [{ ref }] } : {}),
      };
      await hear?.({ address, updateId: `demo:${randomUUID()}`, message });
    },
    show: (address: string, reply: Reply): void => add(address, { ...reply, mine: false }),
    read: (address: string, after = 0): DemoMessage[] =>
      screens.get(address)?.lines.filter(({ id }) => id > after) ?? [],
    async news(address: string, after: number, ms: number): Promise<void> {
      const screen = screens.get(address);
      if (!screen) return;
      const answered = () => screen.lines.some(({ id, mine }) => id > after && !mine);
      if (answered()) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          screen.waiting.delete(look);
          resolve();
        };
        const look = () => (answered() || screens.get(address) !== screen) && end();
        const timer = setTimeout(end, ms);
        screen.waiting.add(look);
      });
    },
    photo: (ref: string) => photos.get(ref),
    addresses: () => [...screens.keys()],
    forget,
  };
}
