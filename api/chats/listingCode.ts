import { and, isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { marketName, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type PublicRow, publicRows, standingOf } from '../listings/standing.ts';
import { qrCode } from '../pictures/qrCode.ts';
import { refersTo } from '../products/reference.ts';
import { cardVersion, colour, logo } from '../sharecards/brand.ts';
import { fromMemory } from '../sharecards/cards.ts';
import { cardSize, drawPlainCard, stitch } from '../sharecards/draw.ts';
import { letters, type Weight, wrap, writable, writableOr } from '../sharecards/lettering.ts';
import { typed } from '../shared/commands.ts';
import { phoneText } from '../shared/contact/readPhone.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { productCode } from '../shared/slugs/productCode.ts';
import { chatLinks } from './deepLinks.ts';

type Way = { name: string; url: string; write: string | null };

/** The code's address: WhatsApp, else Telegram, else the listing's page. */
export function wayTo(ctx: Ctx, product: { id: string; page: string }, language: Language): Way {
  const { env } = ctx.services;
  const say = translator(language, 'seller');
  const { whatsapp, telegram } = chatLinks(env, language, { product: product.id });
  const words = typed(language, 'show', productCode(product.id));
  const write = (where: string) => say('listing.code.write', { words, where });
  if (whatsapp)
    return { name: 'WhatsApp', url: whatsapp, write: write(phoneText(`+${env.WHATSAPP_NUMBER}`)) };
  if (telegram)
    return { name: 'Telegram', url: telegram, write: write(`@${env.TELEGRAM_BOT_NAME}`) };
  return { name: new URL(env.publicUrl).host, url: env.publicUrl + product.page, write: null };
}

/** Reads the one live listing of a code; refuses `products.notFound` for none and for several. */
export async function liveListing(ctx: Ctx, code: string): Promise<PublicRow> {
  const rows = await publicRows(ctx, and(isNotNull(schema.slots.id), refersTo(code)));
  const [row, second] = rows.filter((one) => standingOf(one, ctx.now()) === 'live');
  if (!row || second) throw new Refusal('products.notFound');
  return row;
}

/**
 * A live listing's QR code as a JPEG to print, for the seller's own stall or shop. It holds the deep
 * link of the listing, and neither price nor slot, so that it stays true. Refuses
 * `products.notFound` unless exactly one live listing has the code.
 */
export async function listingCode(
  ctx: Ctx,
  code: string,
  language: Language,
): Promise<Uint8Array<ArrayBuffer>> {
  const row = await liveListing(ctx, code);
  const page = `/${language}/shop/${row.slotId}/${row.slug}`;
  const way = wayTo(ctx, { id: row.id, page }, language);
  const common = translator(language, 'common');
  const title = writableOr(
    nameIn(row.name, language),
    common(`categories.${row.category ?? 'other'}`),
  );
  const market = marketName(language);
  return fromMemory(cardVersion(1, [language, market, title, way]), () =>
    draw(ctx.services, { market, title, way, language }),
  );
}

const square = { x: 44, y: 44, size: cardSize.height - 88 } as const;
const left = square.x + square.size + 44;
const width = cardSize.width - left - 44;
const leading = 1.18;

function draw(
  services: Pick<Ctx['services'], 'pictures'>,
  { market, title, way, language }: { market: string; title: string; way: Way; language: Language },
): Promise<Uint8Array<ArrayBuffer>> {
  const say = translator(language, 'seller');
  const { size, path } = qrCode(way.url);
  let y = 168;
  const lines = (text: string, weight: Weight, size: number, most: number, fill: string) =>
    wrap(writable(text), weight, size, width, most).lines.map((words) => {
      y += size * leading;
      return letters(words, { x: left, y, size, weight, fill });
    });
  const titleSize =
    [76, 68, 60, 54, 48].find((one) => wrap(title, 'bold', one, width, 2).whole) ?? 44;
  const parts = [
    `<rect x="${square.x}" y="${square.y}" width="${square.size}" height="${square.size}" rx="10" fill="#fff" stroke="${colour.line}" stroke-width="3"/>`,
    `<path transform="translate(${square.x} ${square.y}) scale(${square.size / size})" shape-rendering="crispEdges" d="${path}"/>`,
    logo(market, left, 96, 60, 'left'),
    ...lines(title, 'bold', titleSize, 2, colour.ink),
  ];
  y += 38;
  parts.push(stitch(`M${left} ${y}h${width}`));
  y += 20;
  parts.push(...lines(say('listing.code.scan', { name: way.name }), 'medium', 36, 4, colour.ink));
  if (way.write) {
    y += 18;
    parts.push(...lines(way.write, 'medium', 30, 3, colour.soft));
  }
  return drawPlainCard(services, parts, { mark: 'marche54-code' });
}
