import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin, requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { readSettings } from '../core/settings.ts';
import type { Product } from '../listings/locks.ts';
import { latestListing } from '../listings/reads.ts';
import { feeFor, isListed } from '../listings/rules.ts';
import { presentImage } from './present.ts';
import { missingFields } from './rules.ts';
import type { Edit } from './schema.ts';

/** An own product with what its form shows. Another seller's is not found. */
export async function ownProduct(ctx: Ctx, productId: string) {
  const seller = requireSeller(ctx);
  return formOf(ctx, await shown(ctx, productId, eq(schema.products.sellerId, seller.id)));
}

/** Any product with what its form shows, and what it lacks, for an admin who fills that in (decision 038). Holds a number: admins only. */
export async function adminProduct(ctx: Ctx, productId: string) {
  requireAdmin(ctx);
  const product = await shown(ctx, productId);
  const form = await formOf(ctx, product);
  return {
    ...form,
    missing: missingFields(product),
    /** Its photos can be named, and so be changed: those of an import have no upload of their own, and stay as they are. */
    photosKnown: form.photos.filter((photo) => photo.shown).length === product.images.length,
    /** The version that is shown: sent back with a correction. */
    updatedAt: product.updatedAt.toISOString(),
  };
}

async function shown(ctx: Ctx, productId: string, whose?: ReturnType<typeof eq>): Promise<Product> {
  const { products } = schema;
  const [product] = await ctx.db
    .select()
    .from(products)
    .where(and(eq(products.id, productId), whose, isNull(products.removedAt)));
  if (!product) throw new Refusal('products.notFound');
  return product;
}

/** What a form shows of a product: its waiting change included, and the ids of its photos. */
async function formOf(ctx: Ctx, product: Product) {
  const { id: productId } = product;
  const { productEdits, uploads } = schema;
  const listing = await latestListing(ctx, productId);
  const [waiting] = await ctx.db
    .select()
    .from(productEdits)
    .where(eq(productEdits.productId, productId));
  const photos = await ctx.db
    .select({ id: uploads.id, key: uploads.key, image: uploads.image })
    .from(uploads)
    .where(eq(uploads.productId, productId));
  const order = new Map(product.images.map((image, index) => [image.key, index]));
  const { trackFees } = await readSettings(ctx, ['trackFees']);
  return {
    id: product.id,
    status: product.status,
    /** It is in the market or on its way there: a change waits for review beside the old version. */
    listed: isListed(product, listing),
    rejectedReason: product.status === 'rejected' ? product.rejectedReason : null,
    /** What is owed anew when a change lists it again (product R2). */
    relistFee: listing?.endedAt && trackFees ? feeFor(product) : null,
    name: product.name,
    description: product.description,
    category: product.category,
    price: product.price,
    listingType: product.listingType,
    durationSeconds: product.durationSeconds,
    paymentMethod: product.paymentMethod,
    sellerName: product.sellerName,
    sellerWhatsapp: product.sellerWhatsapp,
    // An import may know the place in its parts alone.
    sellerLocation:
      product.sellerLocation?.trim() ||
      [product.city, product.region].filter(Boolean).join(', ') ||
      null,
    businessName: product.businessName,
    photos: photos
      .filter(
        (photo) =>
          order.has(photo.key) ||
          (waiting && (waiting.changes.images as string[]).includes(photo.id)),
      )
      .sort((a, b) => (order.get(a.key) ?? 99) - (order.get(b.key) ?? 99))
      .map((photo) => ({
        id: photo.id,
        image: presentImage(photo.image),
        shown: order.has(photo.key),
      })),
    change: waiting
      ? {
          changes: waiting.changes as unknown as Edit,
          submittedAt: waiting.submittedAt.toISOString(),
        }
      : null,
  };
}
