import type { Sql } from 'postgres';
import { slotCount } from '../../../api/shared/slots.ts';
import { homepageProducts } from '../../../api/slots/reads.ts';
import { connect } from '../../../db/client.ts';
import { compared, type Result } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const names = ['54-slot read'];
const [rounds, reads, atOnce] = [9, 400, 4];

/** The same columns as one row of JSON: the reference for decoding and presenting. */
const raw = (sql: Sql) => sql<{ slots: unknown[] }[]>`
  select json_agg(row order by row.id) as slots from (
    select slots.id, slots.active, slots.is_featured, slots.product_id, slots.start_time,
      slots.end_time, slots.reputation_score, slots.paused_at,
      e.views, e.clicks, e.message_taps, e.shares, p.name, p.description, p.images, p.price,
      p.city, p.region, p.business_name, p.category, p.slug,
      p.preferred_featured_slot, p.status, s.verified_by, s.verified_whatsapp, p.seller_whatsapp, s.whatsapp
    from slots join slot_engagement e on e.slot_id = slots.id
    left join products p on p.id = slots.product_id and p.removed_at is null
    left join sellers s on s.id = p.seller_id) as row`;

async function perSecond(read: () => Promise<unknown>): Promise<number> {
  let left = reads;
  const started = performance.now();
  const worker = async () => {
    while (left-- > 0) await read();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (reads / (performance.now() - started)) * 1000;
}

/** The home page's verb, uncached, against its SQL as one row of JSON. */
export async function run(bench: Bench): Promise<Result[]> {
  const { db, sql, close } = connect(bench.target, { max: atOnce * 4 });
  try {
    const ctx = { ...bench.ctx, db };
    const verb = () => homepageProducts(ctx);
    const plain = () => raw(sql);
    const [slots, [row]] = [await verb(), await plain()];
    if (slots.length !== slotCount || row?.slots.length !== slotCount)
      throw new Error('One of the reads does not answer every slot');
    await perSecond(verb);
    await perSecond(plain);
    const [own, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      own.push(await perSecond(verb));
      bare.push(await perSecond(plain));
    }
    return [compared('54-slot read', '/s', own, bare, undefined, `${atOnce} at once`)];
  } finally {
    await close();
  }
}
