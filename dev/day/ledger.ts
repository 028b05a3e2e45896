import type { Sql } from 'postgres';
import { type Act, textsOf } from '../faults/acts.ts';
import type { Promises } from '../faults/reckon.ts';
import type { Report } from './order.ts';

/**
 * Reads the database's rows of each acknowledged act. An unanswered request may have been carried
 * out too.
 */
export const dayActs: readonly Pick<Act, 'name' | 'kept' | 'held'>[] = [
  {
    name: 'contact',
    // A request for a number and its tap are written together.
    kept: (sql) =>
      textsOf(sql`select c.product_id as text from contact_requests c
        join engagement_events e on e.type = 'messageTap' and e.visitor = c.visitor and e.product_id = c.product_id`),
    held: 'counted',
  },
  {
    name: 'event',
    // Cards shown in a chat are views too, and no request asked for them.
    kept: (sql) =>
      textsOf(sql`select type as text from engagement_events
        where type <> 'messageTap' and visitor !~ '^(telegram|whatsapp):'`),
    held: 'counted',
  },
  {
    name: 'sign in',
    kept: (sql) => textsOf(sql`select user_id as text from session`),
    held: 'counted',
  },
  {
    name: 'upload',
    kept: (sql) => textsOf(sql`select id::text as text from uploads`),
    held: 'counted',
  },
  {
    name: 'message',
    // WhatsApp message ids are stored as keyed digests, so these are counted.
    kept: (sql) =>
      textsOf(
        sql`select case transport when 'telegram' then split_part(update_id, ':', 2) else 'whatsapp' end as text
          from chat_updates`,
      ),
    held: 'counted',
  },
  {
    name: 'admin',
    kept: (sql) =>
      textsOf(
        sql`select request_id as text from audit_log where action in ('slot.pause', 'slot.resume')`,
      ),
    held: 'counted',
  },
];

/**
 * The generator's promises, in the form `reckon` takes. Earlier rows count as unanswered, such as
 * the session of an earlier sign-in.
 */
export function promisesIn({ written }: Report, before: ReadonlyMap<string, number>): Promises {
  return new Map(
    dayActs.map(({ name }) => {
      const { texts = [], unheard = 0 } = written[name] ?? {};
      return [
        name,
        { texts, last: new Map<string, string>(), unheard: unheard + (before.get(name) ?? 0) },
      ];
    }),
  );
}

/** Counts the existing rows of each act. */
export async function countNow(sql: Sql): Promise<Map<string, number>> {
  return new Map(
    await Promise.all(
      dayActs.map(async ({ name, kept }) => [name, (await kept(sql)).length] as const),
    ),
  );
}
