import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isLive, isOverdue } from '../../api/listings/live.ts';
import { slotState } from '../../api/listings/rules.ts';
import { schema } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';
import { rawRows, rowTime } from '../support/rows.ts';

const statementsOf = (migration: string) =>
  readFileSync(new URL(`../../db/history/${migration}.sql`, import.meta.url), 'utf8').split(
    '--> statement-breakpoint',
  );

test('what products said of their listing before there were listings becomes a row each, as Postgres now wants it', async () => {
  const { sql } = await freshDatabase();
  await sql.unsafe('drop schema public cascade; create schema public');
  for (const statement of statementsOf('0000_market')) await sql.unsafe(statement);
  const [day, now] = ["'2026-11-20T08:00Z'::timestamptz", "'2026-11-22T08:00Z'::timestamptz"];
  await sql.unsafe(`
    insert into products (id, slug, status, duration_seconds, created_at)
      values (gen_random_uuid(), 'pending', 'pending', 86400, ${day});
    insert into products (id, slug, status, approved_at, duration_seconds, created_at,
      listing_started_at, listing_fee, fee_state, fee_reference)
      values (gen_random_uuid(), 'live', 'approved', ${day}, 86400, ${day}, ${now}, 1000, 'due', 'M54-AAAA-AAAA');
    update slots set active = true, product_id = (select id from products where slug = 'live'),
      start_time = ${now}, end_time = ${now} + interval '5 hours'
      where id = 12;
    insert into products (id, slug, status, approved_at, created_at, listing_started_at, listing_ended_at, sold_at, listing_fee, fee_state)
      values (gen_random_uuid(), 'sold', 'approved', ${day}, ${day}, ${day}, ${now}, ${now}, 2000, 'paid');
    insert into products (id, slug, status, approved_at, created_at, listing_started_at, listing_ended_at)
      values (gen_random_uuid(), 'imported', 'approved', ${day}, ${now}, ${day}, ${day});
    insert into products (id, slug, status, approved_at, created_at)
      values (gen_random_uuid(), 'queued', 'approved', ${day}, ${day});
    insert into queue_items (product_id, queue_name, band, position, queued_at, item_data)
      values ((select id from products where slug = 'queued'), 'queue:regular', 1, 1, ${day}, '{}')`);
  for (const statement of statementsOf('0001_listings')) await sql.unsafe(statement);
  const rows = await sql`select slug, number, slot_id, l.duration_seconds, end_reason,
      fee, fee_state, fee_reference, fee_marked_at is not null as marked
    from listings l join products p on p.id = product_id order by slug`;
  const none = {
    number: 1,
    slot_id: null,
    duration_seconds: null,
    end_reason: null,
    fee: null,
    fee_state: null,
    fee_reference: null,
    marked: false,
  };
  expect([...rows]).toEqual([
    { ...none, slug: 'imported', duration_seconds: 21_600, end_reason: 'time' },
    {
      ...none,
      slug: 'live',
      slot_id: 12,
      duration_seconds: 18_000,
      fee: 1000,
      fee_state: 'due',
      fee_reference: 'M54-AAAA-AAAA',
    },
    { ...none, slug: 'pending' },
    { ...none, slug: 'queued' },
    {
      ...none,
      slug: 'sold',
      duration_seconds: 21_600,
      end_reason: 'sold',
      fee: 2000,
      fee_state: 'paid',
      marked: true,
    },
  ]);
  // Unchanged, each passes the guards.
  await sql`update products set status = status`;
});

test('publicly live is the same to Postgres as in code (product R3, R7)', async () => {
  const { sql, db } = await freshDatabase();
  await rawRows(sql).placed(7);
  const { slots } = schema;
  const [placed] = await db.select().from(slots).where(eq(slots.id, 7));
  const end = placed?.endTime?.getTime() ?? 0;
  for (const paused of [false, true]) {
    if (paused)
      await db.update(slots).set({ pausedAt: rowTime(), pausedBy: 'admin' }).where(eq(slots.id, 7));
    const all = await db.select().from(slots);
    for (const now of [end - 1, end, end + 1].map((at) => new Date(at))) {
      const said = (state: string) =>
        all.filter((slot) => slotState(slot, now) === state).map(({ id }) => id);
      const asked = async (which: typeof isLive) =>
        (await db.select({ id: slots.id }).from(slots).where(which(now))).map(({ id }) => id);
      expect(await asked(isLive)).toEqual(said('live'));
      expect(await asked(isOverdue)).toEqual(said('expired'));
    }
  }
});
