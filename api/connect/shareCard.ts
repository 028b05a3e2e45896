import { marketName, translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { cardVersion, colour, logo } from '../sharecards/brand.ts';
import { drawPlainCard, icon, pin, signboard, stitch } from '../sharecards/draw.ts';
import {
  capHeight,
  fitting,
  letters,
  widthOf,
  wrap,
  writable,
  writableOr,
} from '../sharecards/lettering.ts';
import { placeWords } from '../shared/places/placeWords.ts';
import type { Post } from './post.ts';
import { budgetText } from './rules.ts';

/** Raise it when the drawing changes, so that every card gets a new address. */
const design = 1;

/** The author is left out on purpose. */
type PostCard = {
  market: string;
  category: Post['category'];
  label: string;
  title: string;
  budget: string | null;
  place: string | null;
  foot: string;
  stamp: string | null;
};

export type Pinned = Pick<
  Post,
  | 'reference'
  | 'title'
  | 'category'
  | 'budgetMin'
  | 'budgetMax'
  | 'city'
  | 'region'
  | 'regionCode'
  | 'status'
>;

const amountOf = (budget: string | null) => (budget === null ? null : Number(budget));

/** A closed post's card shows no more than its public page (decision 045). */
export function postCardOf(post: Pinned, language: Language): PostCard {
  const say = translator(language, 'connect');
  const open = post.status === 'active';
  const place = placeWords(language, [post.city, post.region], post.regionCode)
    .flatMap((part) => writable(part) || [])
    .join(', ');
  return {
    market: marketName(language),
    category: post.category,
    label: writable(say(`categories.${post.category}`)),
    title: writableOr(post.title, say(`categories.${post.category}`)),
    budget: open
      ? writable(
          budgetText(
            { budgetMin: amountOf(post.budgetMin), budgetMax: amountOf(post.budgetMax) },
            language,
          ) ?? '',
        ) || null
      : null,
    place: (open && place) || null,
    foot: writable(say('post.card', { reference: post.reference })),
    stamp: open ? null : writable(say('post.status.closed').toLocaleUpperCase(language)),
  };
}

export const postCardVersion = (card: PostCard): string => cardVersion(design, card);

/** Path of a card; without a version it redirects to the present one. */
export const postCardPath = (reference: string, language: Language, version?: string): string =>
  `/media/cards/post-${reference}-${language}${version ? `-${version}` : ''}.jpg`;

/** Absolute URLs of a post's cards for `og:image`. Draws nothing. */
export const postCardUrls = (
  { services }: Pick<Ctx, 'services'>,
  post: Pinned,
): Record<Language, string> =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      services.env.publicUrl +
        postCardPath(post.reference, language, postCardVersion(postCardOf(post, language))),
    ]),
  ) as Record<Language, string>;

/** Day colours of the category tabs (site/src/features/connect/categories.css), in sRGB. */
const tabs: Record<Post['category'], string> = {
  services_home: '#8d5416',
  services_business: '#263d97',
  transportation: '#12648f',
  delivery: '#416729',
  repairs: '#685b19',
  cleaning: '#0a6c69',
  events: '#912455',
  other: '#4a4f61',
};

const sheet = { x: 56, y: 106, width: 1088, height: 476 } as const;
const left = sheet.x + 52;
const width = sheet.width - 104;
const headTop = sheet.y + 46;
const footTop = sheet.y + sheet.height - 104;
const leading = 1.12;

function titleIn(
  title: string,
  across: number,
  room: number,
): { lines: string[]; size: number; height: number } {
  const set = (size: number) => {
    const { lines, whole } = wrap(title, 'bold', size, across, 3);
    return {
      lines,
      whole,
      size,
      height: capHeight('bold', size) + (lines.length - 1) * size * leading,
    };
  };
  const tried = [108, 98, 88, 80, 72, 64, 58, 52].map(set);
  return tried.find(({ whole, height }) => whole && height <= room) ?? set(48);
}

/** Draws a post's card: a paper sheet under its category's tab (design: Connect). */
export function drawPostCard(
  services: Pick<Ctx['services'], 'pictures'>,
  card: PostCard,
): Promise<Uint8Array<ArrayBuffer>> {
  const { market, category, label, budget, place, foot, stamp } = card;
  const tab = Math.round(widthOf(label, 'bold', 40)) + 72;
  const details = (budget ? 96 : 0) + (place ? 72 : 0);
  const title = titleIn(card.title, stamp ? width - 500 : width, footTop - headTop - details - 24);
  let y = headTop + (footTop - headTop - title.height - details) / 2;
  const parts = [
    `<path d="M${sheet.x} ${sheet.y + 10}V${sheet.y - 54}a14 14 0 0 1 14-14h${tab - 28}a14 14 0 0 1 14 14v64z" fill="${tabs[category]}"/>`,
    letters(label, {
      x: sheet.x + 36,
      y: sheet.y - 18,
      size: 40,
      weight: 'bold',
      fill: colour.onPlate,
    }),
    `<rect x="${sheet.x}" y="${sheet.y}" width="${sheet.width}" height="${sheet.height}" rx="6" fill="${colour.card}" stroke="${colour.line}" stroke-width="3"/>`,
    `<path d="M${sheet.x - 1.5} ${sheet.y - 2}h${sheet.width + 3}v14h-${sheet.width + 3}z" fill="${tabs[category]}"/>`,
    ...title.lines.map((words, line) =>
      letters(words, {
        x: left,
        y: y + capHeight('bold', title.size) + line * title.size * leading,
        size: title.size,
        weight: 'bold',
        fill: colour.ink,
      }),
    ),
  ];
  y += title.height;
  if (budget) {
    const size = fitting(budget, 'bold', width, [62, 56, 50, 44, 38, 32]);
    y += 96;
    parts.push(letters(budget, { x: left, y, size, weight: 'bold', fill: colour.hotInk }));
  }
  if (place) {
    const size = fitting(place, 'medium', width - 50, [42, 38, 34, 30]);
    const [one = ''] = wrap(place, 'medium', size, width - 50, 1).lines;
    y += 72;
    parts.push(icon(pin, left - 6, y - capHeight('medium', size) / 2 - 20, 40, colour.hotInk));
    parts.push(letters(one, { x: left + 46, y, size, weight: 'medium', fill: colour.soft }));
  }
  parts.push(
    stitch(`M${left} ${footTop}h${width}`),
    letters(foot, { x: left, y: footTop + 66, size: 34, weight: 'medium', fill: colour.soft }),
    logo(market, left + width, footTop + 54, 46, 'right'),
  );
  if (stamp) parts.push(signboard(stamp, sheet.x + sheet.width - 270, (headTop + footTop) / 2));
  return drawPlainCard(services, parts, {
    mark: 'marche54-notice',
    paper: colour.sunk,
    live: stamp === null,
  });
}
