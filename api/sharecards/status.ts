import type { Services } from '../core/context.ts';
import { slotCount } from '../shared/slots.ts';
import { colour, logo, plate } from './brand.ts';
import { clock, type Face, icon, pin, stitch, weave } from './draw.ts';
import { capHeight, fitting, letters, type Weight, wrap } from './lettering.ts';

/** Pixels of a phone's screen, which a WhatsApp status fills. */
export const statusSize = { width: 1080, height: 1920 } as const;
/** WhatsApp compresses larger pictures once more; in bytes. */
const most = 400_000;

/** A card's face with time left and a code, for a status. It holds no phone number. */
export type StatusFace = Face & {
  left: string;
  code: { size: number; path: string };
  scan: string;
  site: string;
};

/** The photo fills the top, as high as whole rows of the band's pattern. */
const photo = 864;
const margin = 72;
const right = statusSize.width - margin;
const width = right - margin;
const square = { x: right - 276, y: 1520, size: 276 } as const;

function overlay(face: StatusFace, hasPicture: boolean): string {
  const parts: string[] = [];
  const line = (text: string, y: number, size: number, weight: Weight, fill: string, x = margin) =>
    parts.push(letters(text, { x, y, size, weight, fill }));

  if (!hasPicture) {
    const x = statusSize.width / 2;
    parts.push(
      `<path d="M0 0h${statusSize.width}v${photo}H0z" fill="${colour.sunk}"/>`,
      stitch(`M40 40h${statusSize.width - 80}V${photo - 40}H40z`, colour.edge, 6),
      letters(String(slotCount), {
        x,
        y: 560,
        size: 380,
        weight: 'bold',
        fill: colour.line,
        align: 'middle',
      }),
    );
  }
  parts.push(
    face.premium
      ? `<path d="M0 ${photo}h${statusSize.width}v54H0z" fill="url(#weave)"/>`
      : `<path d="M0 ${photo}h${statusSize.width}v8H0z" fill="${colour.plate}"/>`,
  );
  const number = plate(`#${face.number ?? slotCount}`, margin, photo - 66, 128);
  parts.push(number.svg, logo(face.market, right, photo + 112, 60, 'right'));

  const size = [82, 74, 66, 58].find((one) => wrap(face.title, 'bold', one, width, 2).whole) ?? 54;
  const title = wrap(face.title, 'bold', size, width, 2).lines;
  // A shorter offer stands in the middle of the room for two lines, price and place.
  const free = (2 - title.length) * 92 + (face.price ? 0 : 120) + (face.place ? 0 : 78);
  let y = photo + 190 - size * 0.4 + free / 2;
  for (const words of title) {
    y += size * 1.12;
    line(words, y, size, 'bold', colour.ink);
  }
  if (face.price) {
    const priceSize = fitting(face.price, 'bold', width, [100, 90, 80, 70]);
    y += priceSize * 0.72 + 48;
    line(face.price, y, priceSize, 'bold', colour.ink);
  }
  if (face.place) {
    y += 78;
    const [place = ''] = wrap(face.place, 'medium', 40, width - 52, 1).lines;
    parts.push(icon(pin, margin - 6, y - 34, 44, colour.hotInk));
    line(place, y, 40, 'medium', colour.soft, margin + 48);
  }

  const foot = square.y - 46;
  parts.push(stitch(`M${margin} ${foot}H${right}`));
  const room = square.x - margin - 48;
  const leftSize = fitting(face.left, 'bold', room - 66, [64, 58, 52, 46, 40]);
  y = square.y + capHeight('bold', leftSize) + 8;
  parts.push(icon(clock, margin - 4, y - capHeight('bold', leftSize) / 2 - 28, 56, colour.hotInk));
  line(face.left, y, leftSize, 'bold', colour.hotInk, margin + 66);
  const below = (text: string, size: number, most: number, fill: string) => {
    for (const words of wrap(text, 'medium', size, room, most).lines) {
      y += size * 1.24;
      line(words, y, size, 'medium', fill);
    }
  };
  y += 18;
  below(face.foot, 34, 2, colour.soft);
  y += 14;
  below(face.scan, 30, 3, colour.soft);
  line(face.site, square.y + square.size, 44, 'bold', colour.plate);
  parts.push(
    `<rect x="${square.x}" y="${square.y}" width="${square.size}" height="${square.size}" rx="10" fill="#fff" stroke="${colour.line}" stroke-width="3"/>`,
    `<path transform="translate(${square.x} ${square.y}) scale(${square.size / face.code.size})" shape-rendering="crispEdges" d="${face.code.path}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${statusSize.width}" height="${statusSize.height}"><defs>${weave}</defs>${parts.join('')}</svg>`;
}

/** Draws a picture for a WhatsApp status as JPEG; see `drawCard`. */
export const drawStatus = (
  { pictures }: Pick<Services, 'pictures'>,
  face: StatusFace,
  picture: Uint8Array | undefined,
  mark: string,
): Promise<Uint8Array<ArrayBuffer>> =>
  pictures.card(
    {
      ...statusSize,
      paper: colour.paper,
      split: statusSize.width,
      top: 0,
      photoHeight: photo,
      live: true,
      mark,
      bytes: most,
    },
    overlay(face, picture !== undefined),
    picture,
  );
