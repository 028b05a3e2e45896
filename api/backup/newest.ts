import type { Ctx } from '../core/context.ts';
import { backupPlace } from './places.ts';

/** A bucket is asked at most this often: alarms and every scrape of `/metrics` ask for the same answer. */
const keptMs = 60_000;
const kept = new WeakMap<object, { until: number; answer: Promise<Date | null | undefined> }>();

/**
 * Time of the newest whole backup, in a folder or a bucket; null before the first, undefined where no backups are made. Up to a minute old.
 * Throws when the place cannot be read.
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
