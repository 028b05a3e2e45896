import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockProduct, type Product } from '../listings/locks.ts';
import { openListing, priceListing } from '../listings/open.ts';
import { notifySellersOf } from '../people/notify.ts';
import { type FieldProblem, Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { apply } from './applyEdit.ts';
import { feeWords } from './payment.ts';
import type { Correction } from './schema.ts';

/**
 * Fills in what a product lacks (product R12; decision 038); status, and a chosen duration or
 * payment method, stay. A new duration makes the fee due. Refuses `products.notFound`,
 * `products.changed`, `validation`, `uploads.notFound`.
 */
export async function correct(
  ctx: Ctx,
  productId: string,
  { seen, durationHours, paymentMethod, ...changes }: Correction,
): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products } = schema;
    const { product, listing } = await lockProduct(tx, productId);
    if (product.updatedAt.toISOString() !== new Date(seen).toISOString())
      throw new Refusal('products.changed');
    const problems: FieldProblem[] = [];
    const chosen = <T>(path: string, old: T | null, given: T | undefined): T => {
      if (old === null && given === undefined) problems.push({ path, code: 'required' });
      if (old !== null && given !== undefined && given !== old)
        problems.push({ path, code: 'invalid' });
      return (old ?? given) as T;
    };
    const durationSeconds = chosen(
      'durationHours',
      product.durationSeconds,
      durationHours && durationHours * 3600,
    );
    const payment = chosen('paymentMethod', product.paymentMethod, paymentMethod);
    if (!changes.images && product.images.length === 0)
      problems.push({ path: 'images', code: 'imagesRequired' });
    if (problems.length > 0) throw new Refusal('validation', {}, problems);
    await apply(tx, product, changes);
    await releaseUnshown(tx, productId);
    const [now] = await tx.db
      .update(products)
      .set({ durationSeconds, paymentMethod: payment })
      .where(eq(products.id, productId))
      .returning();
    const complete = now as Product;
    const owed = listing
      ? await priceListing(tx, listing, complete)
      : await openListing(tx, complete);
    await audit(tx, {
      action: 'product.correct',
      subjectKind: 'product',
      subjectId: productId,
      ...difference(product, complete),
    });
    const due = await feeWords(tx, owed, payment);
    await notifySellersOf(
      tx,
      [productId],
      'productCorrected',
      ({ name }, language) => ({ product: nameIn(name, language), ...due(language) }),
      'seller/dashboard',
    );
    return { id: productId };
  });
}

function difference(before: Product, after: Product) {
  const told = ({
    updatedAt: _,
    imagesDeletedAt: __,
    images,
    ...columns
  }: Product): Record<string, unknown> => ({
    ...columns,
    images: images.map(({ key }) => key),
  });
  const [old, now] = [told(before), told(after)];
  const names = Object.keys(now).filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  const only = (row: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, row[name]]));
  return { before: only(old), after: only(now) };
}
