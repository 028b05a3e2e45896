import { hasOneKey } from '../backup/oneKey.ts';
import { backupPlace } from '../backup/places.ts';
import { type Opened, signedValue } from '../backup/signed.ts';
import type { Ctx } from '../core/context.ts';
import type { Env } from '../ops/env.ts';
import type { Finding } from './finding.ts';
import { health } from './rules.ts';

/** A quarter, and ten days' grace. */
const openedLateMs = 101 * 86_400_000;

/** Age of the newest backup, and of the last one opened with a private key. */
export async function backupFinding({
  now,
  services: { env },
}: Pick<Ctx, 'now' | 'services'>): Promise<Finding> {
  const place = backupPlace(env);
  if (!place) return { status: 'healthy', code: 'admin:health.backupOff' };
  const newest = await place.newest();
  if (!newest) return { status: 'warning', code: 'admin:health.backupNever' };
  const date = newest.at.toISOString();
  const at = now().getTime();
  if (at - newest.at.getTime() > health.backupLateMs)
    return { status: 'warning', code: 'admin:health.backupOld', params: { date } };
  if (env.BACKUP_RECIPIENTS.length === 0)
    return { status: 'healthy', code: 'admin:health.backupMade', params: { date } };
  if (hasOneKey(env))
    return { status: 'warning', code: 'admin:health.backupOneKey', params: { date } };
  const opened = openedIn((await place.note()) ?? '', env, at);
  if (!opened) return { status: 'warning', code: 'admin:health.backupUnopened', params: { date } };
  const params = { date, opened: opened.openedAt };
  return at - Date.parse(opened.openedAt) > openedLateMs
    ? { status: 'warning', code: 'admin:health.backupOpenedLong', params }
    : { status: 'healthy', code: 'admin:health.backupOpened', params };
}

/** A note from the future (a wrong clock) would never become old. */
function openedIn(note: string, { BACKUP_KEY: key }: Env, now: number): Opened | undefined {
  const opened = key ? signedValue('opened', note, key) : undefined;
  return opened && Date.parse(opened.openedAt) < now + 86_400_000 ? opened : undefined;
}
