import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import type { PublicRow, Standing } from '../listings/standing.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';
import { placeWords } from '../shared/places/placeWords.ts';
import { isPremium, slotNumber } from '../shared/slots.ts';
import { money } from '../shared/text.ts';
import { fileKey } from '../uploads/files.ts';
import { cardVersion } from './brand.ts';
import type { Face } from './draw.ts';
import { writable, writableOr } from './lettering.ts';

/** Raise it when the drawing changes, so that every card gets a new address. */
const design = 3;

/** Pixels: the next stored width above the card's picture area. */
const cardPictureWidth = 720;

/**
 * Collects what a product's card shows.
 * @param pictureWidth least wanted width of its photo, in pixels
 */
export function faceOf(
  row: PublicRow,
  standing: Standing,
  language: Language,
  pictureWidth = cardPictureWidth,
): Face {
  // A listing is over at zero, even while its slot waits for the next run (product R3).
  const state = standing === 'expired' ? 'ended' : standing;
  const shop = translator(language, 'shop');
  const common = translator(language, 'common');
  const live = state === 'live';
  const slotId = live || state === 'paused' ? row.slotId : null;
  // A paused stall shows only the product's name (product R7).
  const cover = state === 'paused' || row.imagesDeletedAt ? undefined : row.images[0];
  const width =
    cover &&
    ([...cover.widths].sort((a, b) => a - b).find((wide) => wide >= pictureWidth) ??
      Math.max(...cover.widths));
  const place = placeWords(language, [row.city, row.region], row.regionCode)
    .flatMap((part) => writable(part) || [])
    .join(', ');
  return {
    language,
    market: common('brand.name'),
    state,
    number: slotId === null ? null : slotNumber(slotId),
    premium: slotId !== null && isPremium(slotId),
    title: writableOr(nameIn(row.name, language), common(`categories.${row.category ?? 'other'}`)),
    price:
      live && row.price !== null && row.price > 0 ? writable(money(row.price, language)) : null,
    place: (live && place) || null,
    foot: writable(
      live && row.endTime
        ? shop('page.ends', { end: dayAndTime(row.endTime, language) })
        : live
          ? ''
          : shop(`states.${state}.title`),
    ),
    zone: live ? writable(common('time.zone')) : null,
    stamp: live
      ? null
      : writable(
          common(state === 'waiting' ? 'status.queued' : `status.${state}`).toLocaleUpperCase(
            language,
          ),
        ),
    noPicture: writable(common('product.noImage')),
    picture: cover && width !== undefined ? fileKey(cover.key, width) : null,
  };
}

export const versionOf = (face: Face): string => cardVersion(design, face);

/** Path of a card; without a version it redirects to the present one. */
export const cardPath = (productId: string, language: Language, version?: string): string =>
  `/media/cards/${productId}-${language}${version ? `-${version}` : ''}.jpg`;

/** Absolute URL of a card for `og:image`, with its version. Draws nothing. */
export function shareCardUrl(
  ctx: Pick<Ctx, 'services'>,
  row: PublicRow,
  standing: Standing,
  language: Language,
): string {
  return (
    ctx.services.env.publicUrl +
    cardPath(row.id, language, versionOf(faceOf(row, standing, language)))
  );
}
