import { connect, type Socket } from 'node:net';
import type { Asking, Caller } from './asking.ts';

/** Pages combine changes within this time into one request; a phone's network adds its own. */
const [debounceMs, networkMs] = [1000, 1000];

/**
 * Event streams of open pages on bare sockets: thousands must cost the generator almost nothing.
 */
export function openStreams(home: string, asking: Asking, dice: () => number) {
  const { hostname, port } = new URL(home);
  const sockets = new Set<Socket>();
  const tally = { opened: 0, most: 0, lost: 0, changes: 0 };
  let over = false;

  /** Keeps a stream open until a moment, reconnects when it breaks, and fetches changed stalls. */
  function keepStream(who: Caller, at: number, until: number): void {
    const before = asking.phase();
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    tally.most = Math.max(tally.most, sockets.size);
    let head = '';
    let begun = false;
    let asked = false;
    const changed = new Set<string>();
    const refresh = () => {
      asked = false;
      const ids = [...changed].map(Number).sort((a, b) => a - b);
      changed.clear();
      if (!over && ids.length > 0)
        void asking.ask(
          'stalls',
          asking.now(),
          who,
          `/${who.language}/stalls?ids=${ids.join(',')}`,
        );
    };
    const timer = setTimeout(() => socket.destroy(), Math.max(0, until - asking.now()));
    socket.once('connect', () =>
      socket.write(
        `GET /api/live HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\nx-forwarded-for: ${who.address}\r\n\r\n`,
      ),
    );
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!begun) {
        head += text;
        if (!head.includes('\r\n')) return;
        begun = true;
        const status = Number(head.slice(9, 12));
        if (status !== 200) {
          if (status >= 500) asking.failed('event line', before, String(status));
          socket.destroy();
          return;
        }
        tally.opened++;
        asking.answered('event line', at, before);
        head = '';
      }
      for (const [, slot = ''] of text.matchAll(/^data: slot:(\d+)/gm)) {
        tally.changes++;
        changed.add(slot);
        if (!asked) setTimeout(refresh, debounceMs + dice() * networkMs);
        asked = true;
      }
    });
    // The `close` handler deals with broken streams; an error alone ends no run.
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      clearTimeout(timer);
      const left = until - asking.now();
      if (over || left < 500) return;
      tally.lost++;
      // The server names 3 to 6 seconds in its retry field.
      const again = asking.now() + Math.min(left, 3000 + dice() * 3000);
      setTimeout(() => over || keepStream(who, again, until), again - asking.now());
    });
  }
  return {
    keepStream,
    tally,
    open: () => sockets.size,
    close() {
      over = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
