import type { Language } from '../../locales/languages.ts';
import type { Services } from '../core/context.ts';
import { slotCount } from '../shared/slots.ts';
import { colour, logo, plate } from './brand.ts';
import { capHeight, fitting, letters, type Weight, wrap } from './lettering.ts';

/** Pixels that WhatsApp, Facebook and X show large. */
export const cardSize = { width: 1200, height: 630 } as const;
/** WhatsApp drops larger images; in bytes. */
export const cardBytes = 300_000;

/** Everything drawn; anything else makes no new version. */
export type Face = {
  language: Language;
  /** Its name. */
  market: string;
  state: 'live' | 'paused' | 'ended' | 'sold' | 'withdrawn' | 'waiting';
  /** Null once the product has left its slot. */
  number: string | null;
  premium: boolean;
  title: string;
  price: string | null;
  place: string | null;
  /** End of the listing, or its outcome; `zone` names the time zone. */
  foot: string;
  zone: string | null;
  stamp: string | null;
  noPicture: string;
  picture: string | null;
};

const band = 54;
const split = 588;
const left = 640;
const right = cardSize.width - 44;

/** Woven band of premium stalls, as in site/src/ui/weave.ts at triple size. */
export const weave =
  '<pattern id="weave" width="36" height="18" patternUnits="userSpaceOnUse" patternTransform="scale(3)">' +
  `<path fill="${colour.weave}" d="M0 0h36v18H0z"/>` +
  `<path fill="none" stroke="${colour.thread}" stroke-width="1.6" d="M18 2.6 28.5 9 18 15.4 7.5 9zM-6 9l6-3.7L6 9l-6 3.7zM30 9l6-3.7L42 9l-6 3.7z"/>` +
  '<path fill="#d8401c" d="m18 5.8 5.2 3.2L18 12.2 12.8 9z"/>' +
  `<path fill="${colour.stitch}" d="m18 7.7 2.1 1.3L18 10.3 15.9 9zM0 7.7 2.1 9 0 10.3zM36 7.7 33.9 9l2.1 1.3zM9 0l2.5 2.6h-5zM27 0l2.5 2.6h-5zM9 18l2.5-2.6h-5zM27 18l2.5-2.6h-5z"/>` +
  '</pattern>';

export const pin =
  'M12 21.5c-4.6-4.7-6.8-8.2-6.8-11.4a6.8 6.8 0 0 1 13.6 0c0 3.2-2.2 6.7-6.8 11.4zM14.3 10a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0z';
export const clock = 'M20.5 12.5a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM12 7.5v5l3.2 2M9.5 1.5h5';

export const icon = (path: string, x: number, y: number, size: number, stroke: string): string =>
  `<path transform="translate(${x} ${y}) scale(${size / 24})" d="${path}" fill="none" stroke="${stroke}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>`;

export const stitch = (path: string, stroke: string = colour.edge, width = 4): string =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-dasharray="20 11" stroke-linecap="round"/>`;

export function signboard(text: string, middleX: number, middleY: number): string {
  const width = 470;
  const size = fitting(text, 'bold', width - 70, [120, 104, 92, 80, 68, 58, 48]);
  const height = size * 1.3;
  return (
    `<g transform="rotate(-7 ${middleX} ${middleY})">` +
    `<rect x="${middleX - width / 2}" y="${middleY - height / 2}" width="${width}" height="${height}" rx="10" fill="${colour.card}"/>` +
    stitch(
      `M${middleX - width / 2 + 14} ${middleY - height / 2 + 13}h${width - 28}M${middleX - width / 2 + 14} ${middleY + height / 2 - 13}h${width - 28}`,
      colour.thread,
    ) +
    letters(text, {
      x: middleX,
      y: middleY + capHeight('bold', size) / 2,
      size,
      weight: 'bold',
      fill: colour.ink,
      align: 'middle',
    }) +
    '</g>'
  );
}

type Block = { height: number; draw: (top: number) => string };

/** One line of text; descenders hang into the gap below. */
function line(text: string, weight: Weight, size: number, fill: string): Block {
  const height = capHeight(weight, size);
  return { height, draw: (top) => letters(text, { x: left, y: top + height, size, weight, fill }) };
}

function title(text: string, sizes: readonly number[]): Block {
  const width = right - left;
  const smallest = sizes.at(-1) as number;
  // Shortened at the smallest size still readable on a phone.
  const size = sizes.find((candidate) => wrap(text, 'bold', candidate, width, 2).whole) ?? smallest;
  const { lines } = wrap(text, 'bold', size, width, 2);
  const leading = size * 1.1;
  const cap = capHeight('bold', size);
  return {
    height: cap + leading * (lines.length - 1),
    draw: (top) =>
      lines
        .map((words, index) =>
          letters(words, {
            x: left,
            y: top + cap + index * leading,
            size,
            weight: 'bold',
            fill: colour.ink,
          }),
        )
        .join(''),
  };
}

function place(text: string): Block {
  const width = right - left - 44;
  const size = fitting(text, 'medium', width, [38, 34, 30, 26]);
  const height = capHeight('medium', size);
  const { lines } = wrap(text, 'medium', size, width, 1);
  return {
    height,
    draw: (top) =>
      icon(pin, left - 6, top + height / 2 - 20, 40, colour.hotInk) +
      letters(lines[0] ?? '', {
        x: left + 44,
        y: top + height,
        size,
        weight: 'medium',
        fill: colour.soft,
      }),
  };
}

type Stacked = { block: Block; gap: number }[];
const heightOf = (blocks: Stacked): number =>
  blocks.reduce((sum, { block, gap }, index) => sum + block.height + (index === 0 ? 0 : gap), 0);

/** Title, price and place, scaled down until they fit. */
function offer(face: Face, room: number): Stacked {
  const made = (factor: number): Stacked => {
    const sizes = (face.price ? [70, 64, 58, 52, 46] : [84, 74, 66, 60, 54, 48]).map((size) =>
      Math.max(44, size * factor),
    );
    return [
      ...(face.title ? [{ block: title(face.title, sizes), gap: 0 }] : []),
      ...(face.price
        ? [
            {
              block: line(
                face.price,
                'bold',
                factor * fitting(face.price, 'bold', right - left, [98, 90, 82, 74]),
                colour.ink,
              ),
              gap: 40 * factor,
            },
          ]
        : []),
      ...(face.place ? [{ block: place(face.place), gap: 36 * factor }] : []),
    ];
  };
  const factor =
    [1, 0.95, 0.9, 0.85, 0.8].find((candidate) => heightOf(made(candidate)) <= room) ?? 0.75;
  return made(factor);
}

function stack(blocks: Stacked, from: number, to: number): string {
  let top = from + Math.max(0, (to - from - heightOf(blocks)) / 2);
  return blocks
    .map(({ block, gap }, index) => {
      if (index > 0) top += gap;
      const drawn = block.draw(top);
      top += block.height;
      return drawn;
    })
    .join('');
}

function overlay(face: Face, hasPicture: boolean): string {
  const { width, height } = cardSize;
  const top = face.premium ? band : 0;
  const live = face.state === 'live';
  const parts: string[] = [];
  const middle = { x: split / 2, y: top + (height - top) / 2 };
  if (!hasPicture) {
    parts.push(
      `<path d="M0 ${top}h${split}V${height}H0z" fill="${colour.sunk}"/>`,
      stitch(`M28 ${top + 28}h${split - 56}V${height - 28}H28z`, colour.edge, 5),
    );
    const text = face.number ? `#${face.number}` : String(slotCount);
    parts.push(
      letters(text, {
        x: middle.x,
        y: middle.y + (face.stamp ? 90 : 70),
        size: 260,
        weight: 'bold',
        fill: colour.line,
        align: 'middle',
      }),
    );
    if (!face.stamp)
      parts.push(
        letters(face.noPicture, {
          x: middle.x,
          y: height - 82,
          size: 34,
          weight: 'medium',
          fill: colour.soft,
          align: 'middle',
        }),
      );
  }
  parts.push(
    `<path d="M${split} ${top}h5V${height}h-5z" fill="${live ? colour.plate : colour.edge}"/>`,
  );
  if (face.premium) parts.push(`<path d="M0 0h${width}v${band}H0z" fill="url(#weave)"/>`);
  if (face.stamp) parts.push(signboard(face.stamp, middle.x, middle.y));

  const head = face.premium ? top + 26 : 40;
  const number = plate(`#${face.number ?? slotCount}`, split - 40, head, face.premium ? 98 : 112);
  const headMiddle = head + number.height / 2;
  parts.push(
    face.number
      ? number.svg + logo(face.market, right, headMiddle, 46, 'right', right - split - number.width)
      : logo(face.market, left, headMiddle, 76, 'left'),
  );

  const footTop = height - 114;
  parts.push(stitch(`M${left} ${footTop}H${right}`));
  const footInk = live ? colour.hotInk : colour.ink;
  const indent = live ? 48 : 0;
  const size = fitting(face.foot, 'bold', right - left - indent, [40, 37, 34, 31, 28, 25]);
  const cap = capHeight('bold', size);
  const footMiddle = face.zone ? footTop + 42 : footTop + 58;
  if (live) parts.push(icon(clock, left - 4, footMiddle - 20, 40, footInk));
  parts.push(
    letters(face.foot, {
      x: left + indent,
      y: footMiddle + cap / 2,
      size,
      weight: 'bold',
      fill: footInk,
    }),
  );
  if (face.zone)
    parts.push(
      letters(face.zone, {
        x: left + indent,
        y: footTop + 90,
        size: 28,
        weight: 'medium',
        fill: colour.soft,
      }),
    );

  const from = head + number.height + 30;
  const to = footTop - 30;
  parts.push(stack(offer(face, to - from), from, to));
  return svgOf(parts, weave);
}

const svgOf = (parts: readonly string[], defs = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}">${defs && `<defs>${defs}</defs>`}${parts.join('')}</svg>`;

/** Draws a card without a photo as JPEG. `mark` is kept in the file's metadata. */
export const drawPlainCard = (
  { pictures }: Pick<Services, 'pictures'>,
  parts: readonly string[],
  {
    mark,
    paper = colour.paper,
    live = true,
    defs,
  }: { mark: string; paper?: string; live?: boolean; defs?: string },
): Promise<Uint8Array<ArrayBuffer>> =>
  pictures.card(
    { ...cardSize, paper, split: 0, top: 0, live, mark, bytes: cardBytes },
    svgOf(parts, defs),
  );

/**
 * Draws a share card (design: "The share card looks like the stall") as JPEG. A product that is not
 * live gets a faded picture and a sign.
 * @param picture in any stored format; undefined draws an empty stall
 * @param mark version, kept in the file's metadata
 */
export function drawCard(
  { pictures }: Pick<Services, 'pictures'>,
  face: Face,
  picture: Uint8Array | undefined,
  mark: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const plan = {
    ...cardSize,
    paper: colour.paper,
    split,
    top: face.premium ? band : 0,
    live: face.state === 'live',
    mark,
    bytes: cardBytes,
  };
  return pictures.card(plan, overlay(face, picture !== undefined), picture);
}
