import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';

type Columns = Record<string, unknown>;
/** Adds an unsigned entry to a lane's log without a verb: only Postgres validates it. */
export async function rawEntry(client: Sql, columns: Columns): Promise<void> {
  const queue_name = (columns.queue_name ?? 'queue:regular') as string;
  await client`insert into queue_logs (queue_name) values (${queue_name}) on conflict do nothing`;
  const [log] =
    await client`select entries, head from queue_logs where queue_name = ${queue_name} for update`;
  const row = {
    queue_name,
    serial: log?.entries + 1,
    previous: log?.head,
    hash: randomBytes(32).toString('hex'),
    actor_kind: 'job',
    at: new Date(),
    ...columns,
  };
  await client`insert into queue_entries ${client(row as never)}`;
}

/** Puts a product into a lane; `rest` holds columns other than its place. */
export async function rawEnter(
  client: Sql,
  productId: string,
  { band, position, queue_name, ...rest }: Columns,
): Promise<void> {
  await rawEntry(client, {
    queue_name,
    act: 'enter',
    reason: 'approved',
    product_id: productId,
    to_band: band,
    to_position: position,
  });
  if (Object.keys(rest).length > 0)
    await client`update queue_items set ${client(rest as never)} where product_id = ${productId}`;
}

/** Takes a product out of its lane and changes nothing else. */
export async function rawLeave(client: Sql, productId: string): Promise<void> {
  const [item] =
    await client`select queue_name, band, position from queue_items where product_id = ${productId}`;
  if (!item) return;
  const from = { from_band: item.band, from_position: item.position };
  await rawEntry(client, {
    queue_name: item.queue_name,
    act: 'leave',
    reason: 'removed',
    product_id: productId,
    ...from,
  });
}
