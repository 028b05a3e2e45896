import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type CardAnswer, fromMemory } from '../sharecards/cards.ts';
import { Refusal } from '../shared/errors.ts';
import { drawSign, shopCardPath, signOf, signVersion } from './card.ts';
import { shopPage } from './reads.ts';

/**
 * The share card of a shop. Redirects other versions, so made-up addresses draw nothing. Refuses
 * `sellers.shopNotFound`.
 */
export async function shopCard(
  ctx: Ctx,
  slug: string,
  language: Language,
  version: string | undefined,
): Promise<CardAnswer> {
  const shop = await shopPage(ctx, slug);
  if (!shop || 'movedTo' in shop) throw new Refusal('sellers.shopNotFound');
  const sign = signOf(shop, shop.live.length, language);
  const present = signVersion(sign);
  const path = shopCardPath(slug, language, present);
  if (version !== present) return { kind: 'moved', to: path };
  return { kind: 'card', bytes: await fromMemory(path, () => drawSign(ctx.services, sign)) };
}
