import { readJson, storage } from './storage.ts';

export type Engagement = 'view' | 'click' | 'share';
export type Stall = { slotId: number; productId: string };

const door = '/api/engagement';
const viewWindowMs = 30 * 60_000;
let offsetMs = 0;
let line: Promise<unknown> = Promise.resolve();

/** The server's time as far as an answer has told it: a phone's own clock may be hours off. */
export const serverNow = (): number => Date.now() + offsetMs;

const isSeen = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null;

/** Whether this product was reported as seen less than 30 minutes ago; the server counts it once anyway, asking costs data. */
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

/** Tells the server that a stall was seen, opened or shared (product R9). Never fails and never stands in the way. */
export function record(type: Engagement, { slotId, productId }: Stall): void {
  if (type === 'view' && seenLately(productId)) return;
  const body = JSON.stringify({ slotId, productId, type });
  // The page is about to go: only a beacon survives that for certain.
  if (
    type === 'click' &&
    navigator.sendBeacon?.(door, new Blob([body], { type: 'application/json' }))
  )
    return;
  // One after the other: the first answer brings the visitor's cookie, and later ones must carry it.
  line = line.then(() => send(body));
}

async function send(body: string): Promise<void> {
  try {
    const answer = await fetch(door, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      keepalive: true,
    });
    const said = Date.parse(answer.headers.get('date') ?? '');
    // The header counts whole seconds.
    if (Math.abs(said + 500 - Date.now()) > 2000) offsetMs = said + 500 - Date.now();
    await answer.text();
  } catch {
    // Offline: what was seen stays uncounted.
  }
}
