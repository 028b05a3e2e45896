import { session } from './storage.ts';

const place = 'marche54.clock';
const kept = session.get(place);
let offsetMs = Number(kept ?? 0) || 0;
let known = kept !== null;

/** Current time by the server's clock in milliseconds; a phone's may be hours off. */
export const serverNow = (): number => Date.now() + offsetMs;

/** True once the server has told its time in this visit, or did not answer. */
export const timeIsKnown = (): boolean => known;

/** Reads the server's time from an answer. It has whole seconds: less than two is no difference. */
export function readTime({ headers }: Response): void {
  const ahead = Date.parse(headers.get('date') ?? '') + 500 - Date.now();
  if (Number.isNaN(ahead)) return;
  offsetMs = Math.abs(ahead) > 2000 ? ahead : 0;
  known = true;
  session.set(place, String(offsetMs));
}

/** Asks the server for its time, once a visit. Without an answer the phone's clock stands. */
export async function askTime(): Promise<void> {
  if (known) return;
  // Not by HEAD: Bun answers that without a date.
  await fetch('/healthz', { cache: 'no-store' }).then(readTime, () => {});
  known = true;
}
