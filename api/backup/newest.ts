import type { Ctx } from '../core/context.ts';
import { backupPlace } from './places.ts';

/** Alarms and every scrape of `/metrics` ask the bucket. */
const keptMs = 60_000;
const kept = new WeakMap<object, { until: number; answer: Promise<Date | null | undefined> }>();

/**
 * Time of the newest whole backup, up to a minute old; null before the first, undefined if backups
 * are off. Throws if the place is unreadable.
 */
export function newestBackup({
  services: { env },
}: Pick<Ctx, 'services'>): Promise<Date | null | undefined> {
  const place = backupPlace(env);
  if (!place) return Promise.resolve(undefined);
  if (!place.address.startsWith('s3://'))
    return place.newest().then((newest) => newest?.at ?? null);
  const known = kept.get(env);
  if (known && known.until > performance.now()) return known.answer;
  const answer = place.newest().then((newest) => newest?.at ?? null);
  kept.set(env, { until: performance.now() + keptMs, answer });
  answer.catch(() => kept.delete(env));
  return answer;
}
