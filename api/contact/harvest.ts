import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { isLive } from '../listings/live.ts';
import { notify } from '../people/notify.ts';
import { type ContactLimits, harvestFrom, type NewcomerCounts } from './rules.ts';

const hourMs = 3_600_000;
/** One alarm an address in this time: who collects for a day is told of four times. */
const quietMs = 6 * hourMs;

/**
 * Tells the admins, by mail and in the audit log, when the newcomers of one address have asked for so many different products in an
 * hour that it looks like a harvest of sellers' numbers. The address is named by its keyed hash alone. Must run under the lock of the
 * address, after what was asked for is written.
 */
export async function watchHarvest(tx: Ctx, so: NewcomerCounts, limits: ContactLimits): Promise<void> {
  // There are no more products than contacts and questions: most contacts end here.
  if (so.looked.contacts + so.others.contacts + so.questions + 1 < Math.min(limits.contactHarvestProducts, limits.contactPerHour + 1)) return;
  const now = tx.now();
  const { addressHash } = tx.client;
  const at = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const [found] = await tx.db.execute<{ products: number; live: number; told: boolean }>(sql`
    select
      (select count(*)::int from (
        select product_id from contact_requests where address_hash = ${addressHash} and newcomer and requested_at > ${at(hourMs)}::timestamptz
        union select product_id from contact_challenges where address_hash = ${addressHash} and asked_at > ${at(hourMs)}::timestamptz) as asked) as products,
      (select count(*)::int from ${schema.slots} where ${isLive(now)}) as live,
      exists (select 1 from audit_log where subject_kind = 'address' and subject_id = ${addressHash} and action = 'contact.harvest'
        and at > ${at(quietMs)}::timestamptz) as told`);
  if (!found || found.told || found.products < harvestFrom(found.live, limits)) return;
  const { products, live } = found;
  await audit(tx, { action: 'contact.harvest', subjectKind: 'address', subjectId: addressHash, after: { products, live } });
  tx.services.log.warn('The newcomers of one address ask for many contacts', { address: addressHash, products, live });
  const { user } = schema;
  const admins = await tx.db
    .select({ userId: user.id })
    .from(user)
    .where(and(eq(user.role, 'admin'), eq(user.emailVerified, true)));
  const params = { products, live, address: addressHash, most: limits.contactNewcomersPerHour };
  for (const admin of admins) await notify(tx, admin, 'contactHarvest', params, `admin/audit?subjectKind=address&subjectId=${addressHash}`);
}
