import { connect, type Socket } from 'node:net';

/** Cookies that an answer sets, as a browser sends them back. */
export const cookiesFrom = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

/** Repeats an act with limited concurrency; returns how often each outcome came. */
export async function repeat(
  times: number,
  atOnce: number,
  act: (n: number) => Promise<string | number>,
): Promise<Map<string | number, number>> {
  const outcomes = new Map<string | number, number>();
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const outcome = await act(next++).catch(() => 'no answer');
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

/** Formats outcomes: `202 × 300, 429 × 11700`. */
export const inWords = (outcomes: Map<string | number, number>): string =>
  [...outcomes]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([outcome, times]) => `${outcome} × ${times}`)
    .join(', ');

/** Sends a request, reads its answer to the end and returns the status. */
export async function status(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
}

export type SlowUpload = { status: number | null; seconds: number };

/**
 * Uploads a photo over a bare socket at a steady pace. Returns the status, or null when the
 * connection was cut without one.
 * @param bytesPerSecond 0 sends nothing after the headers
 */
export function uploadSlowly(
  port: number,
  cookie: string,
  photo: Uint8Array,
  bytesPerSecond: number,
  patienceSeconds: number,
): Promise<SlowUpload> {
  const started = performance.now();
  return new Promise((resolve) => {
    let answer = '';
    let sent = 0;
    const socket: Socket = connect(port, '127.0.0.1');
    const finish = () => {
      clearInterval(pace);
      clearTimeout(patience);
      socket.destroy();
      const found = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      resolve({
        status: found ? Number(found) : null,
        seconds: (performance.now() - started) / 1000,
      });
    };
    socket.on('connect', () =>
      socket.write(
        `POST /api/uploads HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\ncontent-type: image/jpeg\r\ncontent-length: ${photo.byteLength}\r\nconnection: close\r\n\r\n`,
      ),
    );
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', finish);
    socket.on('close', finish);
    const part = Math.ceil(bytesPerSecond / 4);
    const pace = setInterval(() => {
      if (part === 0 || sent >= photo.byteLength) return;
      socket.write(photo.subarray(sent, sent + part));
      sent += part;
    }, 250);
    const patience = setTimeout(finish, patienceSeconds * 1000);
  });
}

export type Stall = { slot_id: number; product_id: string; product_images: unknown };

/** Open stalls, as the public reads them. */
export async function openStalls(url: string): Promise<Stall[]> {
  const { slots } = (await (await fetch(`${url}/api/slots`)).json()) as {
    slots: (Stall | { slot_id: number; product_id: null })[];
  };
  return slots.filter((slot): slot is Stall => slot.product_id !== null);
}
