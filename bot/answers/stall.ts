import { nameIn } from '../../api/shared/format.ts';
import { placeWords } from '../../api/shared/places/placeWords.ts';
import { isSlot, slotNumber } from '../../api/shared/slots.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { inLanguage, money, translationOf } from '../../api/shared/text.ts';
import { type HomepageSlot, homepageProducts, publicSlot } from '../../api/slots/reads.ts';
import { categories } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { lines, paragraphs, short } from '../delivery/layout.ts';
import { button, common, timeLeft } from './say.ts';
import type { Answer, Args, Reply, Turn } from './types.ts';

export const isLiveSlot = (slot: HomepageSlot, now: Date): boolean =>
  slot.slot_active &&
  slot.product_id !== null &&
  slot.end_time !== null &&
  new Date(slot.end_time) > now;

export const placeOf = (
  { product_city, product_region, product_region_code }: HomepageSlot,
  language: Language,
): string => placeWords(language, [product_city, product_region], product_region_code).join(', ');

/** True for a reader of another language whose seller wrote French alone. */
const isFrench = ({ product_name }: HomepageSlot, language: Language): boolean =>
  translationOf(product_name, language)?.lang === 'fr';

/** The named live stall, or the reply to give instead. A product code must match its product. */
export async function stallIn(
  turn: Turn,
  { words }: Args,
): Promise<{ slot: HomepageSlot } | { reply: Reply }> {
  const { ctx, t } = turn;
  const [number = '', given = ''] = words;
  const code = /^[0-9a-f]{8}$/.test(given) ? given : undefined;
  if (!/^\d{1,3}$/.test(number)) return { reply: { text: t('stall.which') } };
  const slotId = Number(number);
  if (!isSlot(slotId)) return { reply: { text: t('stall.noSuch') } };
  const slot = await publicSlot(ctx, slotId);
  const back = { buttons: [[button(turn, 'button.market', 'market')]] };
  if (!slot || !isLiveSlot(slot, ctx.now()))
    return { reply: { text: t('stall.none', { slot: slotNumber(slotId) }), ...back } };
  if (code && slot.product_id && code !== productCode(slot.product_id))
    return { reply: { text: t('stall.changed', { slot: slotNumber(slotId) }), ...back } };
  return { slot };
}

/** Shows a stall by its number or product code, and counts a view. */
export async function show(turn: Turn, args: Args): Promise<Answer> {
  const [named = ''] = args.words;
  if (/^[0-9a-f]{8}$/.test(named)) return showProduct(turn, named);
  const found = await stallIn(turn, args);
  return 'reply' in found ? found.reply : card(turn, found.slot);
}

async function showProduct(turn: Turn, code: string): Promise<Answer> {
  const slots = (await homepageProducts(turn.ctx)).filter(
    (slot) =>
      slot.product_id && productCode(slot.product_id) === code && isLiveSlot(slot, turn.ctx.now()),
  );
  const [slot] = slots;
  // Products may share a code; show none rather than the wrong one.
  if (!slot || slots.length > 1)
    return { text: turn.t('stall.gone'), buttons: [[button(turn, 'button.market', 'market')]] };
  return card(turn, slot);
}

function card(turn: Turn, slot: HomepageSlot): Reply {
  const { ctx, t } = turn;
  const said = common(ctx.language);
  const shop = translator(ctx.language, 'shop');
  const id = slot.product_id ?? '';
  turn.state.card = { slot: slot.slot_id, code: productCode(id) };
  turn.seen.push({ slotId: slot.slot_id, productId: id, type: 'view' });
  const place = placeOf(slot, ctx.language);
  const [image] = slot.product_images;
  const name = short(nameIn(slot.product_name, ctx.language), 120);
  const category = categories.find((one) => one === slot.product_category);
  return {
    // Captions are limited to about a thousand letters.
    text: paragraphs(
      t('stall.title', { slot: slotNumber(slot.slot_id), name }),
      lines(
        isFrench(slot, ctx.language) && said('product.inFrench'),
        slot.product_price
          ? t('market.price', { price: money(slot.product_price, ctx.language) })
          : shop('page.priceOnRequest'),
        place && t('stall.location', { place: short(place, 80) }),
        category && t('stall.category', { category: said(`categories.${category}`) }),
        slot.business_name && t('stall.business', { name: short(slot.business_name, 80) }),
        shop(
          slot.seller_verified === 'chat'
            ? 'badge.whatsapp'
            : slot.seller_verified === 'admin'
              ? 'badge.team'
              : 'badge.unverified',
        ),
        t('stall.left', { time: timeLeft(turn, slot.end_time ?? ctx.now(), ctx.now()) }),
      ),
      short(inLanguage(slot.product_description, ctx.language) ?? shop('page.noDescription'), 400),
    ),
    ...(image ? { picture: image.src.replace(/^\/media\//, '') } : {}),
    buttons: [
      [
        button(turn, 'button.contact', 'contact', slot.slot_id, productCode(id)),
        button(turn, 'button.report', 'report', slot.slot_id, productCode(id)),
      ],
      [button(turn, 'button.back', 'market')],
    ],
  };
}

async function oneLine(
  turn: Turn,
  args: Args,
  answer: (slot: HomepageSlot, title: string) => string,
): Promise<Reply> {
  const found = await stallIn(turn, args);
  if ('reply' in found) return found.reply;
  const { slot } = found;
  const code = productCode(slot.product_id ?? '');
  turn.state.card = { slot: slot.slot_id, code };
  const name = short(nameIn(slot.product_name, turn.ctx.language), 120);
  const title = turn.t('stall.title', { slot: slotNumber(slot.slot_id), name });
  return {
    text: answer(slot, title),
    buttons: [
      [
        button(turn, 'button.contact', 'contact', slot.slot_id, code),
        button(turn, 'button.show', 'show', slot.slot_id),
      ],
    ],
  };
}

export function priceOf(turn: Turn, args: Args): Promise<Reply> {
  const { t, ctx } = turn;
  return oneLine(turn, args, ({ product_price: price }, title) =>
    paragraphs(
      title,
      lines(
        price
          ? t('market.price', { price: money(price, ctx.language) })
          : translator(ctx.language, 'shop')('page.priceOnRequest'),
        t('stall.bargain'),
      ),
    ),
  );
}

export function available(turn: Turn, args: Args): Promise<Reply> {
  const { t, ctx } = turn;
  return oneLine(turn, args, ({ end_time }, title) =>
    paragraphs(
      title,
      t('stall.stillThere', { time: timeLeft(turn, end_time ?? ctx.now(), ctx.now()) }),
    ),
  );
}
