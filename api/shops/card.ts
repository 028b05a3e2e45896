import { marketName, translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { cardVersion, colour, logo } from '../sharecards/brand.ts';
import { cardSize, drawPlainCard, icon, pin, stitch } from '../sharecards/draw.ts';
import {
  capHeight,
  fitting,
  letters,
  wrap,
  writable,
  writableOr,
} from '../sharecards/lettering.ts';
import type { PresentedShop } from './present.ts';

/** Raise it when the drawing changes, so that every card gets a new address. */
const design = 1;

type Sign = {
  market: string;
  label: string;
  name: string;
  place: string;
  foot: string;
  verified: string;
};
type Shown = PresentedShop & { slug: string };

export function signOf(shop: Shown, live: number, language: Language): Sign {
  const t = translator(language, 'shops');
  return {
    market: marketName(language),
    label: writable(t('card')),
    name: writableOr(shop.name, t('label')),
    place: writable(shop.place?.[language] ?? ''),
    verified: shop.verified ? writable(t('cardVerified')) : '',
    foot: writable(t('count', { count: live })),
  };
}

export const signVersion = (sign: Sign): string => cardVersion(design, sign);

/** Path of a card; without a version it redirects to the present one. */
export const shopCardPath = (slug: string, language: Language, version?: string): string =>
  `/media/cards/shop-${slug}-${language}${version ? `-${version}` : ''}.jpg`;

/** Absolute URLs of a shop's cards for `og:image`, with their versions. Draws nothing. */
export const shopCardUrls = (
  { services }: Pick<Ctx, 'services'>,
  shop: Shown,
  live: number,
): Record<Language, string> =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      services.env.publicUrl +
        shopCardPath(shop.slug, language, signVersion(signOf(shop, live, language))),
    ]),
  ) as Record<Language, string>;

const left = 92;
const width = cardSize.width - 2 * left;
const headTop = 150;
const footTop = cardSize.height - 150;

/** Draws a shop's sign (design: the shop's page). */
export function drawSign(
  services: Pick<Ctx['services'], 'pictures'>,
  { market, label, name, place, verified, foot }: Sign,
): Promise<Uint8Array<ArrayBuffer>> {
  const detail = [place, verified].filter(Boolean);
  const room = footTop - headTop - detail.length * 70 - 40;
  const set = (size: number) => {
    const wrapped = wrap(name, 'bold', size, width, 2);
    const height = capHeight('bold', size) + (wrapped.lines.length - 1) * size * 1.12;
    return { ...wrapped, size, height };
  };
  const title =
    [132, 118, 104, 92, 80, 70, 60].map(set).find(({ whole, height }) => whole && height <= room) ??
    set(56);
  let y = headTop + (footTop - headTop - title.height - detail.length * 70) / 2;
  const parts = [
    `<path d="M56 56h1088v${cardSize.height - 112}h-1088z" fill="${colour.card}" stroke="${colour.line}" stroke-width="3"/>`,
    `<path d="M56 56h1088v18h-1088z" fill="${colour.plate}"/>`,
    letters(label, { x: left, y: 128, size: 38, weight: 'medium', fill: colour.soft }),
    ...title.lines.map((words, line) =>
      letters(words, {
        x: left,
        y: y + capHeight('bold', title.size) + line * title.size * 1.12,
        size: title.size,
        weight: 'bold',
        fill: colour.ink,
      }),
    ),
  ];
  y += title.height;
  if (place) {
    const size = fitting(place, 'medium', width - 50, [44, 40, 36, 32]);
    const [one = ''] = wrap(place, 'medium', size, width - 50, 1).lines;
    y += 70;
    parts.push(icon(pin, left - 6, y - capHeight('medium', size) / 2 - 20, 40, colour.hotInk));
    parts.push(letters(one, { x: left + 46, y, size, weight: 'medium', fill: colour.soft }));
  }
  if (verified) {
    const size = fitting(verified, 'bold', width - 50, [40, 36, 32]);
    y += 70;
    parts.push(icon('M5 12.5l4.5 4.5L19.5 7', left - 6, y - 34, 40, colour.plate));
    parts.push(letters(verified, { x: left + 46, y, size, weight: 'bold', fill: colour.plate }));
  }
  const size = fitting(foot, 'bold', width - 420, [44, 40, 36, 32, 28]);
  parts.push(
    stitch(`M${left} ${footTop}h${width}`),
    letters(foot, { x: left, y: footTop + 64, size, weight: 'bold', fill: colour.hotInk }),
    logo(market, left + width, footTop + 50, 46, 'right', 380),
  );
  return drawPlainCard(services, parts, { mark: 'marche54-shop' });
}
