import { sql } from 'drizzle-orm';
import { bigserial, check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment } from './moment.ts';

/** Troubles that admins are notified of when they begin and when they are over (decision 062). */
export const alarmKinds = [
  'backupFailed',
  'backupOld',
  'ruleBroken',
  'diskFull',
  'healthRed',
  'deliveryFailed',
  'harvest',
] as const;

/**
 * One trouble of a kind and subject. Without `began_at` it is only suspected: it has not held for long enough, and goes without a word
 * when it passes.
 */
export const alarms = pgTable(
  'alarms',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind', { enum: alarmKinds }).notNull(),
    /** A network, a folder, the keyed hash of an address; empty where the kind has only one. */
    subject: text('subject').notNull().default(''),
    since: moment('since').notNull(),
    beganAt: moment('began_at'),
    /** Since when the trouble is away, while the alarm still waits to be over. */
    clearSince: moment('clear_since'),
    overAt: moment('over_at'),
    /** The newest figures of the trouble. */
    figures: jsonb('figures').$type<Record<string, string | number>>().notNull(),
  },
  (t) => [
    check(
      'alarms_kind_known',
      sql`${t.kind} in (${sql.raw(alarmKinds.map((kind) => `'${kind}'`).join(', '))})`,
    ),
    check('alarms_over_began', sql`${t.overAt} is null or ${t.beganAt} is not null`),
    uniqueIndex('alarms_open_idx').on(t.kind, t.subject).where(sql`${t.overAt} is null`),
    index('alarms_over_idx').on(t.overAt.desc().nullsFirst()),
  ],
);
