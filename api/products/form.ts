import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin, requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Product } from '../listings/locks.ts';
import { latestListing } from '../listings/reads.ts';
import { feeFor, isListed } from '../listings/rules.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { presentImage } from '../uploads/present.ts';
import { missingFields } from './rules.ts';
import type { Edit } from './schema.ts';

/** Refuses `products.notFound` for another seller's product. */
export async function ownProduct(ctx: Ctx, productId: string) {
  const seller = requireSeller(ctx);
  return formOf(ctx, await shown(ctx, productId, eq(schema.products.sellerId, seller.id)));
}

/** Form data of any product (decision 038). Contains a phone number: admins only. */
export async function adminProduct(ctx: Ctx, productId: string) {
  requireAdmin(ctx);
  const product = await shown(ctx, productId);
  const form = await formOf(ctx, product);
  return {
    ...form,
    missing: missingFields(product),
    /** False if imported photos have no uploads and so cannot be changed. */
    photosKnown: form.photos.filter((photo) => photo.shown).length === product.images.length,
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
    listed: isListed(product, listing),
    rejectedReason: product.status === 'rejected' ? product.rejectedReason : null,
    /** Fee in XAF if a change lists it again (product R2). */
    relistFee: listing?.endedAt && trackFees ? feeFor(product) : null,
    name: product.name,
    description: product.description,
    category: product.category,
    condition: product.condition,
    price: product.price,
    listingType: product.listingType,
    durationSeconds: product.durationSeconds,
    paymentMethod: product.paymentMethod,
    sellerName: product.sellerName,
    sellerWhatsapp: product.sellerWhatsapp,
    // An imported product may have only city and region.
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
