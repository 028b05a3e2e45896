import { listingFee } from '../../api/listings/rules.ts';
import { durationHours } from '../../api/products/schema.ts';
import { money } from '../../api/shared/text.ts';
import { listingTypes } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { button } from './say.ts';
import type { Reply, Turn } from './types.ts';

/** How to sell, and what it costs, for anybody. */
export function selling(turn: Turn): Reply {
  const { ctx, t } = turn;
  const seller = translator(ctx.language, 'seller');
  const fees = listingTypes.map((type) =>
    t('selling.fee', {
      type: seller(`wizard.fee.${type}`),
      fees: durationHours
        .map((hours) =>
          t('selling.day', {
            count: hours / 24,
            fee: money(listingFee(hours, type), ctx.language),
          }),
        )
        .join(' · '),
    }),
  );
  return {
    text: paragraphs(t('selling.how'), lines(t('selling.fees'), ...fees), t('selling.after')),
    buttons: [[button(turn, 'button.sell', 'sell')]],
  };
}
