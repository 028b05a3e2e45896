import type { InferResponseType } from 'hono/client';
import { isSlot, slotCount } from '../../../../api/core/slots.ts';
import { translationOf } from '../../../../api/core/text.ts';
import type { Translate } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { ApiClient } from '../../lib/api.ts';

export type Slot = InferResponseType<ApiClient['slots']['$get']>['slots'][number];
export type Picture = Slot['product_images'][number];
/** What a card shows of a slot: all but the figures that change with every visitor. */
export type Card = Omit<Slot, 'engagement'>;
/** A slot with everything that a shown product must have. */
export type LiveSlot = Card & { product_id: string; product_slug: string; end_time: string };

export const isLive = <Shown extends Card>(slot: Shown): slot is Shown & LiveSlot =>
  slot.slot_active &&
  slot.product_id !== null &&
  slot.product_slug !== null &&
  slot.end_time !== null;

export type Text = { text: string; lang?: Language };

const textIn = (text: Slot['product_name'], language: Language, otherwise: string): Text =>
  translationOf(text, language) ?? { text: otherwise };

export const nameOf = (slot: Card, language: Language, t: Translate<'common'>): Text =>
  textIn(slot.product_name, language, t('product.unnamed'));
export const descriptionOf = (slot: Card, language: Language, t: Translate<'common'>): Text =>
  textIn(slot.product_description, language, t('product.noDescription'));

/** The addresses of a photo up to a width, for `srcset`. */
export const sourceSet = (picture: Picture, upTo: number): string | undefined => {
  const fitting = picture.sources.filter(({ width }) => width <= upTo);
  return fitting.length > 1
    ? fitting.map(({ src, width }) => `${src} ${width}w`).join(', ')
    : undefined;
};

/** The AVIF files for a phone's page, in the sizes that were made; nothing where there are none yet. */
export const avifSet = (picture: Picture): string | undefined =>
  picture.avif.map(({ src, width }) => `${src} ${width}w`).join(', ') || undefined;

/** The small AVIF file of a photo nearest to a width, once there is one: it is made a little after the photo arrives. */
export const avifFor = (picture: Picture, width: number): string | undefined =>
  (picture.avif.find((source) => source.width >= width) ?? picture.avif.at(-1))?.src;

/** The smallest file of a photo that is at least so wide, or its largest. */
export const sourceFor = (
  { src, sources }: { src: string; sources: readonly { src: string; width: number }[] },
  width: number,
): string => sources.find((source) => source.width >= width)?.src ?? src;

/** Whether a stall is on a phone's first screen, so that its picture is loaded at once. */
export const isFirst = ({ slot_id }: Card): boolean => slot_id <= 2;

/** The file of the first picture that the market shows, where there is one: what `StallCard` shows of it. */
export function firstPicture(slots: readonly Card[]): { src: string; type?: string } | undefined {
  const [cover] = slots.find((stall) => isFirst(stall) && isLive(stall))?.product_images ?? [];
  if (!cover) return undefined;
  const avif = avifFor(cover, 320);
  return avif ? { src: avif, type: 'image/avif' } : { src: sourceFor(cover, 320) };
}

/** A photo's colour in three digits instead of six: it only stands in until the photo comes. */
export const shortColour = (colour: string): string =>
  colour.replace(
    /^#(..)(..)(..)$/,
    (_, ...channels: string[]) =>
      `#${channels
        .slice(0, 3)
        .map((channel) => Math.round(Number.parseInt(channel, 16) / 17).toString(16))
        .join('')}`,
  );

/** The numbers of `?ids=3,7,54`; nothing when one is no stall's, or there are more than stalls. */
export function stallsIn(ids: string | null): Set<number> | undefined {
  if (!ids || !/^\d{1,2}(,\d{1,2})*$/.test(ids)) return undefined;
  const numbers = ids.split(',').map(Number);
  return numbers.length <= slotCount && numbers.every(isSlot) ? new Set(numbers) : undefined;
}

/** No change announces that the whole read works again: a page of the plainer one is looked at anew after so long. */
const plainMs = 30_000;

/** How long a page of these stalls stays true by itself: until the next one ends (api/pageCache.ts), else until something changes. */
export function cacheUntil(slots: readonly Card[], now: Date, plain = false): string {
  const ends = slots
    .filter(isLive)
    .flatMap(({ end_time }) => (Date.parse(end_time) > now.getTime() ? [end_time] : []));
  if (plain) ends.push(new Date(now.getTime() + plainMs).toISOString());
  return ends.sort()[0] ?? 'change';
}
