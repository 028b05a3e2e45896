import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { rawEnter } from './queueEntries.ts';

/** Inserts rows by raw SQL, as an import or a bug would, so that only the database can refuse. */
export function rawRows(sql: Sql) {
  const uuid = () => randomUUID();
  const begin = (work: (tx: Sql) => Promise<unknown>) =>
    sql.begin((tx) => work(tx as unknown as Sql));

  async function product(columns: Record<string, unknown> = {}, client = sql): Promise<string> {
    const id = (columns.id as string) ?? uuid();
    const row = {
      id,
      slug: `p-${id.slice(0, 8)}`,
      status: 'pending',
      created_at: rowTime(),
      ...columns,
    };
    await client`insert into products ${client(row as never)}`;
    return id;
  }
  const queue = (
    id: string,
    position = 1024,
    client = sql,
    columns: Record<string, unknown> = {},
  ) => {
    const row = {
      queue_name: 'queue:regular',
      priority: 0,
      band: 1,
      position,
      queued_at: rowTime(),
      ...columns,
    };
    return client === sql ? begin((tx) => rawEnter(tx, id, row)) : rawEnter(client, id, row);
  };
  const open = (slot: number, id: string, client = sql) =>
    client`update slots set active = true, product_id = ${id},
      start_time = ${rowTime()}, end_time = ${new Date('2026-11-24T08:00:00Z')} where id = ${slot}`;
  const listing = (id: string, columns: Record<string, unknown> = {}, client = sql) =>
    client`insert into listings ${client({ product_id: id, number: 1, opened_at: rowTime(), ...columns } as never)}`;

  async function queued(position = 1024): Promise<string> {
    const id = uuid();
    await begin(async (tx) => {
      await product({ id, ...stamp('approved') }, tx);
      await listing(id, {}, tx);
      await queue(id, position, tx);
    });
    return id;
  }
  async function placed(slot: number): Promise<string> {
    const id = uuid();
    await begin(async (tx) => {
      await product({ id, ...stamp('approved') }, tx);
      await listing(id, started(slot), tx);
      await open(slot, id, tx);
    });
    return id;
  }
  return { begin, product, queue, open, listing, queued, placed };
}

export const started = (slot: number) => ({
  slot_id: slot,
  started_at: rowTime(),
  duration_seconds: 86_400,
});
export const endedRow = () => ({ ended_at: rowTime(), end_reason: 'time' });

export const rowTime = () => new Date('2026-11-23T08:00:00Z');

export const stamp = (status: 'pending' | 'approved' | 'rejected' | 'active') => ({
  status,
  approved_at: status === 'approved' || status === 'active' ? rowTime() : null,
  rejected_at: status === 'rejected' ? rowTime() : null,
});

/** The constraint or SQLSTATE that refuses a statement, else 'kept'. */
export async function refusal(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return 'kept';
  } catch (error) {
    const { constraint_name: constraint, code } = error as {
      constraint_name?: string;
      code?: string;
    };
    return constraint ?? code ?? String(error);
  }
}
