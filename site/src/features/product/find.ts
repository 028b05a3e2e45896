import type { InferResponseType } from 'hono/client';
import { type ApiClient, found, unwrap } from '../../lib/api.ts';
import { detailsPath, linker, productPath } from '../../lib/paths.ts';
import { type Card, isLive, type LiveSlot, type Slot } from '../market/slots.ts';

type BySlug = InferResponseType<ApiClient['market']['products'][':slug']['$get'], 200>;
export type ShareCard = BySlug['shareCard'];
/** Where a product's page leads: its seller's shop, and listings like it. */
export type Around = InferResponseType<ApiClient['market']['around'][':id']['$get'], 200>;
type Name = Slot['product_name'];

export type Found =
  | { kind: 'live'; slot: LiveSlot; shareCard: ShareCard | null; around: Around }
  | {
      kind: 'away';
      state: 'paused' | 'ended' | 'sold' | 'withdrawn' | 'waiting';
      name: Name;
      slotId?: number;
      others: LiveSlot[];
    }
  | { kind: 'missing' }
  | { kind: 'moved'; to: string; status: 301 | 302 };

/** Finds the product in a slot (product R7, R10, R11). Throws when the API fails. */
export async function findInSlot({ api }: App.Locals, slotId: string | undefined): Promise<Found> {
  const id = slotOf(slotId);
  if (id === undefined) return { kind: 'missing' };
  const slot: Slot | undefined = await found(
    api.slots[':slotId'].$get({ param: { slotId: String(id) } }),
  );
  if (!slot) {
    const slots = await marketNow(api);
    // A paused slot hides its product, name included.
    return slots.find(({ slot_id }) => slot_id === id)?.paused
      ? { kind: 'away', state: 'paused', name: null, slotId: id, others: some(slots) }
      : { kind: 'missing' };
  }
  if (!isLive(slot)) return { kind: 'missing' };
  const [product, around] = await Promise.all([bySlug(api, slot.product_slug), leadsTo(api, slot)]);
  return { kind: 'live', slot, shareCard: product?.shareCard ?? null, around };
}

/**
 * Resolves a canonical address: the product, its present slot, or its end (product R10). A slug
 * with this product's id suffix is an older name (301), one without any suffix redirects for now
 * (302); others are missing, since one product must not appear under another's name. Throws when
 * the API fails.
 */
export async function findBySlug(
  locals: App.Locals,
  slotId: string | undefined,
  slug: string,
): Promise<Found> {
  const { api } = locals;
  const id = slotOf(slotId);
  if (id === undefined) return { kind: 'missing' };
  const moved = (slot: LiveSlot, status: 301 | 302): Found => ({
    kind: 'moved',
    to: linker(locals)(canonicalPath(slot)),
    status,
  });
  const product = await bySlug(api, slug);
  if (product && 'slot' in product) {
    const slot: Slot = product.slot;
    if (!isLive(slot)) return { kind: 'missing' };
    return slot.slot_id === id
      ? { kind: 'live', slot, shareCard: product.shareCard, around: await leadsTo(api, slot) }
      : moved(slot, 302);
  }
  if (product) {
    return {
      kind: 'away',
      state: product.state,
      name: product.name,
      ...('slotId' in product ? { slotId: product.slotId } : {}),
      others: some(await marketNow(api)),
    };
  }
  const slot: Slot | undefined = await found(
    api.slots[':slotId'].$get({ param: { slotId: String(id) } }),
  );
  if (!slot || !isLive(slot)) return { kind: 'missing' };
  if (slug.endsWith(slot.product_id.replaceAll('-', '').slice(0, 8))) return moved(slot, 301);
  return /(^|-)[0-9a-f]{8}$/.test(slug) ? { kind: 'missing' } : moved(slot, 302);
}

const slotOf = (slotId: string | undefined) =>
  /^\d{1,2}$/.test(slotId ?? '') ? Number(slotId) : undefined;
const some = (slots: readonly Slot[]) => slots.filter(isLive).slice(0, 5);

const bySlug = (api: ApiClient, slug: string): Promise<BySlug | undefined> =>
  found(api.market.products[':slug'].$get({ param: { slug: encodeURIComponent(slug) } }));

const leadsTo = async (api: ApiClient, { product_id }: LiveSlot): Promise<Around> =>
  (await found(api.market.around[':id'].$get({ param: { id: product_id } }))) ?? {
    shop: null,
    related: [],
  };

/** Listings on whose end a product's page depends. */
export const shownOn = (page: Extract<Found, { kind: 'live' | 'away' }>): readonly Card[] =>
  page.kind === 'live' ? [page.slot, ...page.around.related] : page.others;

const marketNow = async (api: ApiClient): Promise<Slot[]> =>
  (await unwrap(api.slots.$get(), '')).slots;

export const detailsAddress = (slot: LiveSlot, locals: App.Locals): string =>
  linker(locals)(detailsPath(slot.slot_id));
export const canonicalPath = (slot: LiveSlot): string =>
  productPath(slot.slot_id, slot.product_slug);

/** Error codes in `?contact=`, set by the form without a script. */
export const refusals = [
  'rateLimited',
  'notAvailable',
  'consentRequired',
  'lookupFailed',
  'failed',
] as const;
export const refusalOf = (url: URL): (typeof refusals)[number] | undefined =>
  refusals.find((code) => code === url.searchParams.get('contact'));
