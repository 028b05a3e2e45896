import { createHash } from 'node:crypto';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { dayAndTime, nameIn } from '../core/format.ts';
import { isPremium, slotNumber } from '../core/slots.ts';
import { money } from '../core/text.ts';
import type { PublicRow, Standing } from '../listings/standing.ts';
import { fileKey } from '../uploads/receive.ts';
import type { Face } from './draw.ts';
import { writable } from './lettering.ts';

/** Raised whenever the drawing itself changes, so that every card gets a new address. */
const design = 1;

/** The width of the stored picture that a card is drawn from, in pixels: the next one up from its half of the card. */
const pictureWidth = 720;

/** What a product's card shows in a language, given where the product stands. */
export function faceOf(row: PublicRow, standing: Standing, language: Language): Face {
  // From zero a listing is over, also while its slot waits for the next run (product R3).
  const state = standing === 'expired' ? 'ended' : standing;
  const shop = translator(language, 'shop');
  const common = translator(language, 'common');
  const live = state === 'live';
  const slotId = live || state === 'paused' ? row.slotId : null;
  // A paused stall shows nothing of its product but the name (product R7).
  const cover = state === 'paused' || row.imagesDeletedAt ? undefined : row.images[0];
  const width =
    cover &&
    ([...cover.widths].sort((a, b) => a - b).find((wide) => wide >= pictureWidth) ??
      Math.max(...cover.widths));
  const place = [row.city, row.region].flatMap((part) => writable(part ?? '') || []).join(', ');
  return {
    language,
    state,
    number: slotId === null ? null : slotNumber(slotId),
    premium: slotId !== null && isPremium(slotId),
    title: writable(nameIn(row.name, language)),
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

/** The version of a card: a hash of everything that is drawn. Another price, slot, end, picture or state is another version. */
export const versionOf = (face: Face): string =>
  createHash('sha256')
    .update(JSON.stringify([design, face]))
    .digest('hex')
    .slice(0, 12);

/** The path of a card; without a version it leads to the present one. */
export const cardPath = (productId: string, language: Language, version?: string): string =>
  `/media/cards/${productId}-${language}${version ? `-${version}` : ''}.jpg`;

/** The absolute address of a product's share card in a language, for `og:image`, with its present version. Draws nothing. */
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
