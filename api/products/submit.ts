import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { admit } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { enqueue } from '../listings/enqueue.ts';
import { lockLane } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { laneOf, listingFee } from '../listings/rules.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { slugOf } from '../shared/slugs/slug.ts';
import { money } from '../shared/text.ts';
import { bilingual } from './bilingual.ts';
import { feeWords } from './payment.ts';
import { placeOf } from './place.ts';
import { laneIn } from './review/approve.ts';
import type { Submission } from './schema.ts';

export type Submitted = {
  id: string;
  status: 'pending' | 'approved';
  listingFee: number;
  feeReference: string | null;
};

/**
 * Submits a product (product §2, §5): a seller's waits for review, an admin's is queued. Seller,
 * status, fee and slot never come from the client (product R19, R31); photos must be the actor's
 * own, unused. Refuses `sellers.profileMissing`, `sellers.suspended` and `account.leaving` (an
 * admin: `sellers.isSuspended`, `sellers.isLeaving`), `sellers.notFound`, `uploads.notFound`.
 */
export async function submit(
  ctx: Ctx,
  draft: Submission,
  idempotencyKey?: string,
): Promise<Submitted> {
  admit(ctx.actor, ['seller', 'admin']);
  const { actor } = ctx;
  if (actor.kind !== 'seller' && actor.kind !== 'admin') throw new Refusal('forbidden');
  await requireAgreement(ctx);
  if (actor.kind === 'seller' && draft.sellerId !== undefined && draft.sellerId !== actor.seller.id)
    throw new Refusal('forbidden');
  const asAdmin = actor.kind === 'admin';
  return inTransaction(ctx, (tx) =>
    once(tx, actor.userId, idempotencyKey, draft, async () => {
      if (asAdmin) await lockLane(tx, laneOf(draft.listingType));
      const seller = await sellerFor(tx, asAdmin ? draft.sellerId : actor.seller?.id);
      if (!asAdmin && seller && (!seller.whatsapp || !seller.location))
        throw new Refusal('sellers.profileMissing');
      const id = await insertProduct(tx, draft, actor.userId, seller?.id ?? null);
      const { durationHours, listingType } = draft;
      const owed = await openListing(tx, {
        id,
        durationSeconds: durationHours * 3600,
        listingType,
      });
      const { feeReference: reference } = owed;
      const fee = listingFee(durationHours, listingType);
      // Deletes the draft on every device.
      const { productDrafts: drafts } = schema;
      if (idempotencyKey)
        await tx.db
          .delete(drafts)
          .where(
            and(eq(drafts.userId, actor.userId), sql`${drafts.key}::text = ${idempotencyKey}`),
          );
      await tx.db
        .update(schema.uploads)
        .set({ productId: id })
        .where(inArray(schema.uploads.id, draft.images));
      if (asAdmin) await listAtOnce(tx, draft, id, seller, owed);
      else if (seller) {
        const { language } = tx;
        const due = reference ? { fee: money(fee, language), reference } : {};
        await notify(
          tx,
          { sellerId: seller.id, language },
          'productSubmitted',
          { product: nameIn(bilingual(draft.name), language), ...due },
          'seller/dashboard',
        );
      }
      return {
        id,
        status: asAdmin ? 'approved' : 'pending',
        listingFee: fee,
        feeReference: reference,
      } satisfies Submitted;
    }),
  );
}

async function insertProduct(
  tx: Tx,
  draft: Submission,
  userId: string,
  sellerId: string | null,
): Promise<string> {
  const id = randomUUID();
  const now = tx.now();
  const asAdmin = tx.actor.kind === 'admin';
  await tx.db.insert(schema.products).values({
    id,
    slug: slugOf(draft.name.en, draft.category, id),
    sellerId,
    name: bilingual(draft.name, draft.writtenIn),
    description: bilingual(draft.description, draft.writtenIn),
    images: await claimUploads(tx, draft.images, userId),
    price: draft.price,
    ...placeOf(draft.sellerLocation),
    businessName: draft.businessName ?? null,
    sellerName: draft.sellerName,
    sellerWhatsapp: draft.sellerWhatsapp,
    status: asAdmin ? 'approved' : 'pending',
    approvedAt: asAdmin ? now : null,
    listingType: draft.listingType,
    durationSeconds: draft.durationHours * 3600,
    preferredFeaturedSlot: draft.preferredFeaturedSlot ?? null,
    category: draft.category,
    condition: draft.condition ?? null,
    paymentMethod: draft.paymentMethod,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** Queues an admin's own product and notifies the seller it was listed for. */
async function listAtOnce(
  tx: Tx,
  draft: Submission,
  id: string,
  seller: Awaited<ReturnType<typeof sellerFor>>,
  owed: Awaited<ReturnType<typeof openListing>>,
): Promise<void> {
  const { queueName } = await enqueue(tx, id, 'listed');
  // An imported seller has no dashboard.
  if (seller?.userId) {
    const due = await feeWords(tx, owed, draft.paymentMethod);
    const told = (language: Language) => ({
      product: nameIn(bilingual(draft.name), language),
      lane: laneIn(queueName, language),
      ...due(language),
    });
    await notify(tx, { sellerId: seller.id }, 'productListed', told, 'seller/dashboard');
  }
  await audit(tx, {
    action: 'product.create',
    subjectKind: 'product',
    subjectId: id,
    after: { name: draft.name, sellerId: seller?.id ?? null },
  });
}

async function sellerFor(tx: Tx, sellerId: string | undefined) {
  if (!sellerId) return undefined;
  const { sellers } = schema;
  // Share mode: a suspension or deletion comes before, and refuses, or after the product.
  const [seller] = await tx.db.select().from(sellers).where(eq(sellers.id, sellerId)).for('share');
  if (!seller) throw new Refusal('sellers.notFound');
  const byAdmin = tx.actor.kind === 'admin';
  if (seller.suspended) throw new Refusal(byAdmin ? 'sellers.isSuspended' : 'sellers.suspended');
  if (seller.leavingAt) throw new Refusal(byAdmin ? 'sellers.isLeaving' : 'account.leaving');
  return seller;
}

async function claimUploads(tx: Tx, ids: string[], ownerId: string) {
  const { uploads } = schema;
  const rows = await tx.db
    .select({ id: uploads.id, image: uploads.image })
    .from(uploads)
    .where(and(inArray(uploads.id, ids), eq(uploads.ownerId, ownerId), isNull(uploads.productId)))
    .for('update');
  const byId = new Map(rows.map((row) => [row.id, row.image]));
  return ids.map((id) => {
    const image = byId.get(id);
    if (!image) throw new Refusal('uploads.notFound');
    return image;
  });
}
