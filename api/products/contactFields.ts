import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Bilingual } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { contactDetailIn } from '../shared/contact/contactDetails.ts';
import { textFor } from '../shared/text.ts';

/** Public texts of a product, by the names of the seller's form. */
export type ContactField =
  | 'nameEn'
  | 'nameFr'
  | 'descriptionEn'
  | 'descriptionFr'
  | 'sellerName'
  | 'sellerLocation'
  | 'businessName';

type Texts = {
  name: Bilingual | null;
  description: Bilingual | null;
  sellerName: string | null;
  sellerLocation: string | null;
  businessName: string | null;
};

/** Texts with a phone number or a link: stored before they were refused (decision 028). */
export function contactFields(product: Texts): ContactField[] {
  const texts: [ContactField, string | null][] = [
    ['nameEn', textFor(product.name, 'en')],
    ['nameFr', textFor(product.name, 'fr')],
    ['descriptionEn', textFor(product.description, 'en')],
    ['descriptionFr', textFor(product.description, 'fr')],
    ['sellerName', product.sellerName],
    ['sellerLocation', product.sellerLocation],
    ['businessName', product.businessName],
  ];
  return texts.flatMap(([field, text]) => (text && contactDetailIn(text) ? [field] : []));
}

/** Products in stalls with such texts. */
export async function flaggedInStalls({ db }: Pick<Ctx, 'db'>) {
  const { products, slots } = schema;
  const rows = await db
    .select({ product: products, slotId: slots.id })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .orderBy(slots.id);
  return rows.flatMap(({ product, slotId }) => {
    const fields = contactFields(product);
    return fields.length > 0 ? [{ id: product.id, slotId, name: product.name, fields }] : [];
  });
}
