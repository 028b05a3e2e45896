import type { InferResponseType } from 'hono/client';
import { isSlot, slotCount } from '../../../../api/shared/slots.ts';
import { translationOf } from '../../../../api/shared/text.ts';
import type { Translate } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { ApiClient } from '../../lib/api.ts';

export type Slot = InferResponseType<ApiClient['slots']['$get']>['slots'][number];
export type Picture = Slot['product_images'][number];
/** Slot as a card shows it, without the figures that change with every visitor. */
export type Card = Omit<Slot, 'engagement'>;
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

/** `srcset` up to a width; undefined for a single file. */
export const sourceSet = (picture: Picture, upTo: number): string | undefined => {
  const fitting = picture.sources.filter(({ width }) => width <= upTo);
  return fitting.length > 1
    ? fitting.map(({ src, width }) => `${src} ${width}w`).join(', ')
    : undefined;
};

/** `srcset` of the AVIF files; undefined until they are made. */
export const avifSet = (picture: Picture): string | undefined =>
  picture.avif.map(({ src, width }) => `${src} ${width}w`).join(', ') || undefined;

/** AVIF file nearest to a width; undefined until it is made, shortly after the upload. */
export const avifFor = (picture: Picture, width: number): string | undefined =>
  (picture.avif.find((source) => source.width >= width) ?? picture.avif.at(-1))?.src;

export const sourceFor = (
  { src, sources }: { src: string; sources: readonly { src: string; width: number }[] },
  width: number,
): string => sources.find((source) => source.width >= width)?.src ?? src;

/** On a phone's first screen: the picture is loaded at once. */
export const isFirst = ({ slot_id }: Card): boolean => slot_id <= 2;

/** First picture of the market, as `StallCard` picks it. */
export function firstPicture(slots: readonly Card[]): { src: string; type?: string } | undefined {
  const [cover] = slots.find((stall) => isFirst(stall) && isLive(stall))?.product_images ?? [];
  if (!cover) return undefined;
  const avif = avifFor(cover, 320);
  return avif ? { src: avif, type: 'image/avif' } : { src: sourceFor(cover, 320) };
}

/** Placeholder colour in three digits, to save bytes. */
export const shortColour = (colour: string): string =>
  colour.replace(
    /^#(..)(..)(..)$/,
    (_, ...channels: string[]) =>
      `#${channels
        .slice(0, 3)
        .map((channel) => Math.round(Number.parseInt(channel, 16) / 17).toString(16))
        .join('')}`,
  );

/** Parses `?ids=3,7,54`; undefined for an invalid number or more ids than stalls. */
export function stallsIn(ids: string | null): Set<number> | undefined {
  if (!ids || !/^\d{1,2}(,\d{1,2})*$/.test(ids)) return undefined;
  const numbers = ids.split(',').map(Number);
  return numbers.length <= slotCount && numbers.every(isSlot) ? new Set(numbers) : undefined;
}

/** No event announces that the full read works again. */
const plainMs = 30_000;

/** End of a page's cache lifetime: the next listing's end (api/pages/pageCache.ts), else 'change'. */
export function cacheUntil(slots: readonly Card[], now: Date, plain = false): string {
  const ends = slots
    .filter(isLive)
    .flatMap(({ end_time }) => (Date.parse(end_time) > now.getTime() ? [end_time] : []));
  if (plain) ends.push(new Date(now.getTime() + plainMs).toISOString());
  return ends.sort()[0] ?? 'change';
}
