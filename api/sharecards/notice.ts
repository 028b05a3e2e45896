import { createHash } from 'node:crypto';
import { translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { budgetText } from '../connect/budget.ts';
import type { Post } from '../connect/post.ts';
import type { Ctx } from '../core/context.ts';
import { board, cardBytes, cardSize, colour, icon, logo, pin, stitch } from './draw.ts';
import { capHeight, fitting, letters, widthOf, wrap, writable } from './lettering.ts';

/** Raised whenever the drawing itself changes, so that every card gets a new address. */
const design = 1;

/** Everything that is on the card of a post, in its language and already as text. Who wrote the post is not among it. */
type Notice = {
  category: Post['category'];
  label: string;
  title: string;
  budget: string | null;
  place: string | null;
  foot: string;
  /** The word across what is closed. */
  stamp: string | null;
};

export type Pinned = Pick<Post, 'reference' | 'title' | 'category' | 'budgetMin' | 'budgetMax' | 'city' | 'region' | 'status'>;

const amountOf = (budget: string | null) => (budget === null ? null : Number(budget));

/** What a post's card shows in a language. A closed one shows no more than its page does to everybody (decision 045). */
export function noticeOf(post: Pinned, language: Language): Notice {
  const say = translator(language, 'connect');
  const open = post.status === 'active';
  const place = [post.city, post.region].flatMap((part) => writable(part ?? '') || []).join(', ');
  return {
    category: post.category,
    label: writable(say(`categories.${post.category}`)),
    title: writable(post.title),
    budget: open ? writable(budgetText({ budgetMin: amountOf(post.budgetMin), budgetMax: amountOf(post.budgetMax) }, language) ?? '') || null : null,
    place: (open && place) || null,
    foot: writable(say('post.card', { reference: post.reference })),
    stamp: open ? null : writable(say('post.status.closed').toLocaleUpperCase(language)),
  };
}

export const noticeVersion = (notice: Notice): string =>
  createHash('sha256')
    .update(JSON.stringify([design, notice]))
    .digest('hex')
    .slice(0, 12);

/** The path of a post's card; without a version it leads to the present one. */
export const noticePath = (reference: string, language: Language, version?: string): string =>
  `/media/cards/post-${reference}-${language}${version ? `-${version}` : ''}.jpg`;

/** The absolute addresses of a post's card, for `og:image`. Draws nothing. */
export const noticeUrls = ({ services }: Pick<Ctx, 'services'>, post: Pinned): Record<Language, string> =>
  Object.fromEntries(
    languages.map((language) => [language, services.env.publicUrl + noticePath(post.reference, language, noticeVersion(noticeOf(post, language)))]),
  ) as Record<Language, string>;

/** The day colours of the categories' tabs (site/src/features/connect), in sRGB. */
const tabs: Record<Post['category'], string> = {
  services_home: '#1f2d7c',
  services_business: '#49516f',
  transportation: '#1c6a72',
  delivery: '#8a4b00',
  repairs: '#a3300f',
  cleaning: '#23663b',
  events: '#8c2a5c',
  other: '#6b5636',
};

const sheet = { x: 56, y: 118, width: 1088, height: 456 } as const;
const left = sheet.x + 52;
const width = sheet.width - 104;
const footTop = sheet.y + sheet.height - 104;

/** The card of a post: a notice of paper under the coloured tab of its category (design: Connect). */
export function drawNotice({ pictures }: Pick<Ctx['services'], 'pictures'>, notice: Notice): Promise<Uint8Array<ArrayBuffer>> {
  const tab = Math.round(widthOf(notice.label, 'bold', 40)) + 72;
  const detail = (notice.budget ? 74 : 0) + (notice.place ? 58 : 0);
  const room = footTop - sheet.y - 84 - (detail ? detail + 20 : 0);
  const size = [96, 88, 80, 72, 64].find((tried) => tried * 1.12 * 2 < room + 30 && wrap(notice.title, 'bold', tried, width, 2).whole) ?? 60;
  const { lines } = wrap(notice.title, 'bold', size, width, room > 200 ? 3 : 2);
  const cap = capHeight('bold', size);
  const height = cap + (lines.length - 1) * size * 1.12;
  let y = sheet.y + 34 + Math.max(16, (footTop - sheet.y - 34 - height - (detail ? detail + 20 : 0)) / 2 - 8);
  const parts = [
    `<path d="M${sheet.x} ${sheet.y + 10}V${sheet.y - 58}a14 14 0 0 1 14-14h${tab - 28}a14 14 0 0 1 14 14v68z" fill="${tabs[notice.category]}"/>`,
    letters(notice.label, { x: sheet.x + 36, y: sheet.y - 22, size: 40, weight: 'bold', fill: colour.onPlate }),
    `<rect x="${sheet.x}" y="${sheet.y}" width="${sheet.width}" height="${sheet.height}" rx="6" fill="${colour.card}" stroke="${colour.line}" stroke-width="3"/>`,
    `<path d="M${sheet.x - 1.5} ${sheet.y}h${sheet.width + 3}v12h-${sheet.width + 3}z" fill="${tabs[notice.category]}"/>`,
    ...lines.map((words, line) => letters(words, { x: left, y: y + cap + line * size * 1.12, size, weight: 'bold', fill: colour.ink })),
  ];
  y += height + 44;
  if (notice.budget) {
    const budget = fitting(notice.budget, 'bold', width, [58, 52, 46, 40, 34]);
    parts.push(letters(notice.budget, { x: left, y: y + capHeight('bold', budget), size: budget, weight: 'bold', fill: colour.hotInk }));
    y += 74;
  }
  if (notice.place) {
    const place = fitting(notice.place, 'medium', width - 50, [40, 36, 32, 28]);
    const { lines: one } = wrap(notice.place, 'medium', place, width - 50, 1);
    parts.push(icon(pin, left - 6, y + capHeight('medium', place) / 2 - 20, 40, colour.hotInk));
    parts.push(letters(one[0] ?? '', { x: left + 46, y: y + capHeight('medium', place), size: place, weight: 'medium', fill: colour.soft }));
  }
  parts.push(
    stitch(`M${left} ${footTop}h${width}`),
    letters(notice.foot, { x: left, y: footTop + 66, size: 34, weight: 'medium', fill: colour.soft }),
    logo(left + width, footTop + 54, 46, 'right'),
  );
  if (notice.stamp) parts.push(board(notice.stamp, cardSize.width - 320, sheet.y + 250));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}">${parts.join('')}</svg>`;
  return pictures.card({ ...cardSize, paper: colour.sunk, split: 0, top: 0, live: notice.stamp === null, mark: 'marche54-notice', bytes: cardBytes }, svg);
}
