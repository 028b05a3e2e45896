import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Ctx } from '../../api/core/context.ts';
import { connect, migrateDatabase, type Target } from '../../db/client.ts';
import { onEnd } from '../testbed/program.ts';
import type { Bench } from './testbed.ts';

/** A separate market beside the bench's, empty except for the slots. */
export type Crowd = { ctx: Ctx; sql: Sql; statements(): number; close(): Promise<void> };

/** Opens it. `max` is its pool's size; `statements` counts those of its drizzle and raw pools. */
export async function openCrowd(bench: Bench, { max = 4 } = {}): Promise<Crowd> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await bench.sql.unsafe(`create database "${name}"`);
  const target: Target =
    typeof bench.target === 'string' ? at(bench.target, name) : { ...bench.target, database: name };
  await migrateDatabase(target);
  let sent = 0;
  const { db, sql, close } = connect(
    typeof target === 'string' ? target : { ...target, debug: () => void sent++ },
    { max },
  );
  onEnd(close);
  return { ctx: { ...bench.ctx, db }, sql, statements: () => sent, close };
}

function at(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Puts approved products into the regular lane, in numeric order. Bypasses triggers that run per
 * product.
 */
export async function fillQueue({ sql }: Crowd, waiting: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into products (id, slug, status, approved_at, name, duration_seconds, price, city, created_at)
      select md5(n::text)::uuid, 'product-' || n, 'approved', now(),
        jsonb_build_object('en', 'Product ' || n), 86400, 5000, 'Douala', now() - n * interval '1 second'
      from generate_series(1, ${waiting}::int) as n`;
    await tx`insert into listings (product_id, number, opened_at)
      select md5(n::text)::uuid, 1, now() from generate_series(1, ${waiting}::int) as n`;
    await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
      select md5(n::text)::uuid, 'queue:regular', 0, 1, n * 1024::bigint, now(), '{}'
      from generate_series(1, ${waiting}::int) as n`;
  });
  await sql`vacuum analyze`;
}

/** The id of the product that {@link fillQueue} gave a number. */
export const numbered = async ({ sql }: Crowd, n: number): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`select md5(${String(n)})::uuid as id`;
  return row?.id ?? '';
};

/** Measures a task in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
