import { sql } from 'drizzle-orm';
import { bigserial, check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';

/** Troubles that notify admins when they begin and end (decision 062). */
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
 * One trouble of a kind and subject. Without `began_at` it is only suspected, and notifies nobody
 * if it passes.
 */
export const alarms = pgTable(
  'alarms',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind', { enum: alarmKinds }).notNull(),
    /** Transport, folder or keyed hash of an address; empty if the kind has no subjects. */
    subject: text('subject').notNull().default(''),
    since: moment('since').notNull(),
    beganAt: moment('began_at'),
    clearSince: moment('clear_since'),
    overAt: moment('over_at'),
    figures: jsonb('figures').$type<Record<string, string | number>>().notNull(),
  },
  (t) => [
    check('alarms_kind_known', sql`${t.kind} in ${oneOf(alarmKinds)}`),
    check('alarms_over_began', sql`${t.overAt} is null or ${t.beganAt} is not null`),
    uniqueIndex('alarms_open_idx').on(t.kind, t.subject).where(sql`${t.overAt} is null`),
    index('alarms_over_idx').on(t.overAt.desc().nullsFirst()),
  ],
);
