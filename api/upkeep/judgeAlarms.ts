import { and, eq, isNull, lt } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type AlarmKind, alarmKinds, type Finding, stepOf } from '../alarms/rules.ts';
import { type Alarm, reportAlarm, tellAlarm } from '../alarms/tell.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { deletesUntil } from '../shared/retention/deletesUntil.ts';
import { within } from '../shared/within.ts';
import { alarmLooks } from './alarmLooks.ts';

const { alarms } = schema;
type Row = typeof alarms.$inferSelect;
type Change = { alarm: Alarm; what: 'began' | 'is over' };
export type Judged = { began: string[]; over: string[]; unknown: AlarmKind[] };

const lookMs = 10_000;

/**
 * Judges every alarm and notifies the admins of changes, in one transaction under a lock, so no
 * other process or restart notifies twice. An alarm whose look failed stays as it was.
 */
export async function judgeAlarms(ctx: Ctx, looks = alarmLooks): Promise<Judged> {
  requireAdmin(ctx);
  const found = new Map<AlarmKind, Finding[]>();
  for (const kind of alarmKinds) {
    try {
      found.set(kind, await within(lookMs, looks[kind](ctx)));
    } catch (error) {
      ctx.services.log.error('An alarm could not be looked at', { kind, error });
    }
  }
  const changes = await inTransaction(ctx, async (tx) => {
    await lockNamed(tx, 'alarms');
    const rows = await tx.db.select().from(alarms).where(isNull(alarms.overAt));
    const changed: (Change | undefined)[] = [];
    for (const [kind, findings] of found) {
      const known = rows.filter((row) => row.kind === kind);
      const subjects = new Set([...findings, ...known].map(({ subject }) => subject));
      for (const subject of subjects) {
        const row = known.find((one) => one.subject === subject);
        changed.push(
          await judge(
            tx,
            kind,
            subject,
            row,
            findings.find((one) => one.subject === subject),
          ),
        );
      }
    }
    const until = deletesUntil(tx, 'judge-alarms', 'alarms');
    if (until) await tx.db.delete(alarms).where(lt(alarms.overAt, until));
    return changed.filter((change) => change !== undefined);
  });
  for (const { alarm, what } of changes) reportAlarm(ctx, alarm, what);
  const named = (wanted: Change['what']) =>
    changes
      .filter(({ what }) => what === wanted)
      .map(({ alarm: { kind, subject } }) => `${kind} ${subject}`.trim());
  return {
    began: named('began'),
    over: named('is over'),
    unknown: alarmKinds.filter((kind) => !found.has(kind)),
  };
}

async function judge(
  tx: Tx,
  kind: AlarmKind,
  subject: string,
  row: Row | undefined,
  finding: Finding | undefined,
): Promise<Change | undefined> {
  const now = tx.now();
  const figures = finding?.figures ?? row?.figures ?? {};
  const keep = (values: Partial<typeof alarms.$inferInsert>) =>
    row
      ? tx.db.update(alarms).set(values).where(eq(alarms.id, row.id))
      : tx.db.insert(alarms).values({ kind, subject, since: now, figures, ...values });
  switch (stepOf(kind, row, finding?.state, now)) {
    case 'wait':
      await keep({ since: now, figures });
      return undefined;
    case 'begin': {
      const alarm = { kind, subject, beganAt: now, figures };
      await keep({ beganAt: now, figures });
      await tellAlarm(tx, alarm);
      return { alarm, what: 'began' };
    }
    case 'forget':
      if (row) await tx.db.delete(alarms).where(and(eq(alarms.id, row.id), isNull(alarms.beganAt)));
      return undefined;
    case 'again':
      await keep({ clearSince: null, figures });
      return undefined;
    case 'clear':
      await keep({ clearSince: now });
      return undefined;
    case 'over': {
      const alarm = { kind, subject, beganAt: row?.beganAt ?? now, figures };
      await keep({ overAt: now });
      await tellAlarm(tx, alarm, now);
      return { alarm, what: 'is over' };
    }
    case 'stay':
      if (row && finding?.state === 'bad') await keep({ figures });
  }
}
