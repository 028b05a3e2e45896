import type { InferResponseType } from 'hono/client';
import { defaultDurationHours } from '../../../../api/products/schema.ts';
import type { ApiClient } from '../../lib/api.ts';
import { sourceFor } from '../market/slots.ts';
import type { EditedProduct } from './wizard/draft.ts';

type Form = InferResponseType<ApiClient['products'][':id']['own']['$get'], 200>;
type Seller = { name: string; whatsapp: string | null; location: string | null };

const both = (text: Form['name']) =>
  typeof text === 'string' ? { en: text, fr: '' } : { en: text?.en ?? '', fr: text?.fr ?? '' };

/** Initial wizard state of a product, or of its waiting change. */
export function editedOf(
  product: Form,
  { title, change, seller }: { title: string; change?: Form['change']; seller?: Seller },
): EditedProduct {
  const now = { ...product, ...change?.changes };
  const [name, description] = [both(now.name), both(now.description)];
  const sameText = change
    ? change.changes.writtenIn === 'fr'
    : typeof product.name === 'object' && product.name?.written === 'fr';
  const order =
    change?.changes.images ??
    product.photos.filter((photo) => photo.shown).map((photo) => photo.id);
  const photos = order.flatMap((id) => product.photos.find((photo) => photo.id === id) ?? []);
  return {
    id: product.id,
    listed: product.listed,
    answers: {
      // The English has to be written for itself once the choice is taken back.
      'name.en': sameText ? '' : name.en,
      'name.fr': name.fr,
      'description.en': sameText ? '' : description.en,
      'description.fr': description.fr,
      sameText,
      category: now.category ?? '',
      // A change without a condition takes the old one away.
      condition: (change ? change.changes.condition : product.condition) ?? '',
      price: now.price ? String(now.price) : '',
      durationHours: (product.durationSeconds ?? 0) / 3600 || defaultDurationHours,
      listingType: product.listingType,
      paymentMethod: product.paymentMethod ?? '',
      sellerName: now.sellerName ?? seller?.name ?? '',
      sellerWhatsapp: now.sellerWhatsapp ?? seller?.whatsapp ?? '',
      sellerLocation: now.sellerLocation ?? seller?.location ?? '',
      businessName: now.businessName ?? '',
    },
    photos: photos.map(({ id, image }) => ({ id, src: sourceFor(image, 720), name: title })),
    fee: product.relistFee,
  };
}
