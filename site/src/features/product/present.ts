import { placeWords } from '../../../../api/shared/places/placeWords.ts';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { translator } from '../../../../locales/index.ts';
import { clamp, dateTime, priceText } from '../../lib/format.ts';
import { descriptionOf, type LiveSlot, nameOf } from '../market/slots.ts';
import { canonicalPath, type ShareCard } from './find.ts';

/** Texts of both product pages in the reader's language. */
export function presentProduct(
  slot: LiveSlot,
  { language, now }: App.Locals,
  shareCard: ShareCard | null,
) {
  const common = translator(language, 'common');
  const t = translator(language, 'shop');
  const name = nameOf(slot, language, common);
  const description = descriptionOf(slot, language, common);
  const price = priceText(slot.product_price, language);
  const where =
    placeWords(language, [slot.product_city, slot.product_region], slot.product_region_code).join(
      ', ',
    ) || null;
  const end = dateTime(slot.end_time, language, 'full');
  const number = slotNumber(slot.slot_id);
  const said = { name: name.text, slot: number, end };
  return {
    name,
    description,
    price,
    where,
    end,
    number,
    expired: Date.parse(slot.end_time) <= now.getTime(),
    meta: {
      title: price ? t('meta.title', { name: name.text, price }) : t('meta.titleNoPrice', said),
      description: where
        ? t('meta.description', { ...said, place: where })
        : t('meta.descriptionNoPlace', said),
      share: {
        type: 'product',
        ...(shareCard
          ? {
              image: {
                src: shareCard[language],
                width: 1200,
                height: 630,
                alt: clamp(name.text, 100),
              },
            }
          : {}),
      },
      canonicalAt: canonicalPath(slot),
    },
  };
}
export type Presented = ReturnType<typeof presentProduct>;
