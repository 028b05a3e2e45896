import { sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { beginAlarm } from '../alarms/begin.ts';
import { audit } from '../core/audit.ts';
import type { Tx } from '../core/context.ts';
import { isLive } from '../listings/live.ts';
import { type ContactLimits, harvestFrom, harvestQuietMs, type NewcomerCounts } from './rules.ts';

const hourMs = 3_600_000;

/**
 * Starts an alarm when newcomers of one address ask for so many products in an hour that it looks
 * like a harvest of phone numbers. It names only the address's keyed hash. The caller holds the
 * address lock and has recorded the request.
 */
export async function watchHarvest(
  tx: Tx,
  so: NewcomerCounts,
  limits: ContactLimits,
): Promise<void> {
  // Products cannot outnumber contacts and questions, so most requests stop here.
  if (
    so.looked.contacts + so.others.contacts + so.questions + 1 <
    Math.min(limits.contactHarvestProducts, limits.contactPerHour + 1)
  )
    return;
  const now = tx.now();
  const { addressHash } = tx.client;
  const at = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const [found] = await tx.db.execute<{ products: number; live: number; told: boolean }>(sql`
    select
      (select count(*)::int from (
        select product_id from contact_requests
        where address_hash = ${addressHash} and newcomer and requested_at > ${at(hourMs)}::timestamptz
        union select product_id from contact_challenges
        where address_hash = ${addressHash} and asked_at > ${at(hourMs)}::timestamptz) as asked) as products,
      (select count(*)::int from ${schema.slots} where ${isLive(now)}) as live,
      exists (select 1 from audit_log where subject_kind = 'address' and subject_id = ${addressHash}
      and action = 'contact.harvest'
        and at > ${at(harvestQuietMs)}::timestamptz) as told`);
  if (!found || found.told || found.products < harvestFrom(found.live, limits)) return;
  const { products, live } = found;
  await audit(tx, {
    action: 'contact.harvest',
    subjectKind: 'address',
    subjectId: addressHash,
    after: { products, live },
  });
  tx.services.log.warn('The newcomers of one address ask for many contacts', {
    address: addressHash,
    products,
    live,
  });
  await beginAlarm(tx, 'harvest', addressHash, {
    products,
    live,
    most: limits.contactNewcomersPerHour,
  });
}
