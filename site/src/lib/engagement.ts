import { readTime } from './clock.ts';
import { readJson, storage } from './storage.ts';

export type Engagement = 'view' | 'click' | 'share';
export type Stall = { slotId: number; productId: string };

const eventPath = '/api/engagement';
const viewWindowMs = 30 * 60_000;
let line: Promise<unknown> = Promise.resolve();

const isSeen = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null;

/** The server ignores repeats within 30 minutes anyway; this saves data. */
function seenLately(productId: string): boolean {
  const now = Date.now();
  const seen = Object.fromEntries(
    Object.entries(readJson(storage, 'seen', isSeen) ?? {}).filter(
      ([, at]) => now - at < viewWindowMs,
    ),
  );
  const known = productId in seen;
  if (!known) storage.set('seen', JSON.stringify({ ...seen, [productId]: now }));
  return known;
}

/** Records that a stall was seen, opened or shared (product R9). Never throws or blocks. */
export function record(type: Engagement, { slotId, productId }: Stall): void {
  if (type === 'view' && seenLately(productId)) return;
  const body = JSON.stringify({ slotId, productId, type });
  // Only a beacon survives leaving the page.
  if (
    type === 'click' &&
    navigator.sendBeacon?.(eventPath, new Blob([body], { type: 'application/json' }))
  )
    return;
  // In turn: the first answer sets the cookie that later requests must carry.
  line = line.then(() => send(body));
}

async function send(body: string): Promise<void> {
  try {
    const answer = await fetch(eventPath, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      keepalive: true,
    });
    readTime(answer);
    await answer.text();
  } catch {
    // Offline: not counted.
  }
}
