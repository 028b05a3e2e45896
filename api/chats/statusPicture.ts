import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import type { EngagementEvent } from '../engagement/schema.ts';
import { type PublicRow, publicRows, standingOf } from '../listings/standing.ts';
import { qrCode } from '../pictures/qrCode.ts';
import { cardVersion } from '../sharecards/brand.ts';
import { fromMemory } from '../sharecards/cards.ts';
import { faceOf } from '../sharecards/face.ts';
import { writable } from '../sharecards/lettering.ts';
import { drawStatus, type StatusFace, statusSize } from '../sharecards/status.ts';
import { Refusal } from '../shared/errors.ts';
import { statusPicturePath } from './deepLinks.ts';
import { liveListing, wayTo } from './listingCode.ts';

const hourMs = 3_600_000;
/** Pictures of one seller in an hour: each counts as a share. */
export const picturesAnHour = 30;

function faceNow(ctx: Ctx, row: PublicRow, language: Language): StatusFace {
  const common = translator(language, 'common');
  const say = translator(language, 'seller');
  const hours = Math.ceil(((row.endTime?.getTime() ?? 0) - ctx.now().getTime()) / hourMs);
  const time =
    hours > 24
      ? common('duration.days', { count: Math.ceil(hours / 24) })
      : common('duration.hours', { count: hours });
  const page = `/${language}/shop/${row.slotId}/${row.slug}`;
  const way = wayTo(ctx, { id: row.id, page }, language);
  return {
    ...faceOf(row, 'live', language, statusSize.width),
    left: writable(say('listing.status.left', { time })),
    code: qrCode(way.url),
    scan: writable(say('listing.code.scan', { name: way.name })),
    site: new URL(ctx.services.env.publicUrl).host,
  };
}

/**
 * The picture of a live listing for a WhatsApp status, as JPEG. It never shows a phone number.
 * Refuses `products.notFound` unless exactly one live listing has the code.
 */
export async function statusPicture(
  ctx: Ctx,
  code: string,
  language: Language,
): Promise<Uint8Array<ArrayBuffer>> {
  const face = faceNow(ctx, await liveListing(ctx, code), language);
  const { pictures, storage } = ctx.services;
  return fromMemory(cardVersion(1, face), async () => {
    const picture = face.picture ? await storage.get(face.picture) : undefined;
    return drawStatus({ pictures }, face, picture, 'marche54-status');
  });
}

/**
 * Returns the path of an own live listing's picture, in the seller's language, and the share that
 * making it counts as. Refuses `products.notFound`, `products.notLive`, `tooManyRequests`.
 */
export async function makeStatusPicture(
  ctx: Ctx,
  productId: string,
): Promise<{ path: string; event: EngagementEvent }> {
  const { id: sellerId, userId } = requireSeller(ctx);
  const { products } = schema;
  const [row] = await publicRows(
    ctx,
    and(eq(products.id, productId), eq(products.sellerId, sellerId)),
  );
  if (!row) throw new Refusal('products.notFound');
  if (row.slotId === null || standingOf(row, ctx.now()) !== 'live')
    throw new Refusal('products.notLive');
  await countAttempt(ctx, `status:${userId}`, picturesAnHour, 3600, 'tooManyRequests');
  return {
    path: statusPicturePath(productId, ctx.language),
    event: { type: 'share', slotId: row.slotId, productId },
  };
}
