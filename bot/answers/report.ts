import { reportListing } from '../../api/reports/report.ts';
import { limits, reportInput } from '../../api/reports/schema.ts';
import { nameIn } from '../../api/shared/format.ts';
import { reportReasons } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs, rows, short } from '../delivery/layout.ts';
import type { Asked } from '../understanding/state.ts';
import { typed } from '../understanding/words.ts';
import { button } from './say.ts';
import { stallIn } from './stall.ts';
import type { Answer, Args, Turn } from './types.ts';

export async function report(turn: Turn, args: Args): Promise<Answer> {
  const found = await stallIn(turn, args);
  if ('reply' in found) return found.reply;
  turn.state.awaits = { kind: 'reason', product: found.slot.product_id ?? '' };
  const shop = translator(turn.ctx.language, 'shop');
  return {
    text: paragraphs(
      turn.t('report.ask', {
        name: short(nameIn(found.slot.product_name, turn.ctx.language), 120),
      }),
      lines(
        ...reportReasons.map((reason, n) =>
          turn.t('report.line', {
            number: String(n + 1),
            reason: shop(`report.reasons.${reason}`),
          }),
        ),
      ),
    ),
    buttons: [
      ...rows(
        reportReasons.map((_, n) => ({ label: String(n + 1), say: String(n + 1) })),
        4,
      ),
      [button(turn, 'button.notNow', 'no')],
    ],
  };
}

export function reason(
  turn: Turn,
  { product }: Extract<Asked, { kind: 'reason' }>,
  text: string,
): Answer {
  const chosen = /^\d$/.test(text.trim()) ? reportReasons[Number(text) - 1] : undefined;
  if (!chosen) {
    turn.state.awaits = { kind: 'reason', product };
    return {
      text: turn.t('report.again', { most: String(reportReasons.length) }),
      buttons: [[button(turn, 'button.notNow', 'no')]],
    };
  }
  turn.state.awaits = { kind: 'note', product, reason: chosen };
  return {
    text: turn.t('report.note'),
    buttons: [[button(turn, 'button.skip', 'skip'), button(turn, 'button.notNow', 'no')]],
  };
}

export async function note(
  turn: Turn,
  { product, reason: chosen }: Extract<Asked, { kind: 'note' }>,
  text?: string,
): Promise<Answer> {
  // Too long a note is cut, as typing it again on a phone is tedious.
  const input = reportInput.parse({
    reason: chosen,
    ...(text === undefined ? {} : { note: text.slice(0, limits.note.max).toWellFormed() }),
  });
  await reportListing(turn.ctx, product, input);
  return {
    text: turn.t('report.sent'),
    buttons: [[{ label: turn.t('button.market'), say: typed(turn.ctx.language, 'market') }]],
  };
}
