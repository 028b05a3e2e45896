import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import type { AlarmKind, Finding } from './rules.ts';
import { reportAlarm, tellAlarm } from './tell.ts';

/**
 * Begins an alarm at once unless it is open.
 *
 * @returns whether it began now
 */
export async function beginAlarm(
  tx: Tx,
  kind: AlarmKind,
  subject: string,
  figures: Finding['figures'],
): Promise<boolean> {
  const now = tx.now();
  const [begun] = await tx.db
    .insert(schema.alarms)
    .values({ kind, subject, since: now, beganAt: now, figures })
    .onConflictDoNothing()
    .returning({ id: schema.alarms.id });
  if (!begun) return false;
  const alarm = { kind, subject, beganAt: now, figures };
  await tellAlarm(tx, alarm);
  reportAlarm(tx, alarm, 'began');
  return true;
}
