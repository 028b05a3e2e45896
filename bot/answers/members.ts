import { latestResponses } from '../../api/connect/responses.ts';
import { statement as readStatement } from '../../api/credits/reads.ts';
import { dayAndTime } from '../../api/shared/format.ts';
import { lines, paragraphs, short } from '../delivery/layout.ts';
import { button } from './say.ts';
import type { Reply, Turn } from './types.ts';

const mostEntries = 5;

export const balance = async (turn: Turn): Promise<Reply> => {
  const { balance: count, prices } = await readStatement(turn.ctx);
  return {
    text: paragraphs(
      turn.t('credits.balance', { count }),
      turn.t('credits.prices', {
        post: prices.post,
        response: prices.response,
        update: prices.post_update,
      }),
    ),
    buttons: [[button(turn, 'button.statement', 'statement')]],
  };
};

export const statement = async ({ ctx, t }: Turn): Promise<Reply> => {
  const { balance: count, entries } = await readStatement(ctx);
  const shown = entries.slice(0, mostEntries).map((entry) => {
    const amount = `${entry.amount > 0 ? '+' : '−'}${Math.abs(entry.amount)}`;
    return t('credits.line', {
      date: dayAndTime(new Date(entry.at), ctx.language),
      amount,
      kind: t(`credits.kind.${entry.kind}`),
      balance: entry.balance,
    });
  });
  return {
    text: paragraphs(
      t('credits.balance', { count }),
      shown.length > 0 ? lines(t('credits.title'), ...shown) : t('credits.none'),
    ),
  };
};

/** Lists responses to own posts and marks those since the last look. */
export const responses = async ({ ctx, t, state }: Turn): Promise<Reply> => {
  const latest = await latestResponses(ctx);
  if (latest.length === 0) return { text: t('responses.none') };
  const read = state.responsesAt;
  const isNew = (at: Date) => read === undefined || at.toISOString() > read;
  state.responsesAt = latest[0]?.at.toISOString() ?? '';
  const list = latest.map(({ name, title, at }) => {
    const line = t('responses.line', {
      name: short(name, 60),
      title: short(title, 80),
      date: dayAndTime(at, ctx.language),
    });
    return isNew(at) ? `• ${line} (${t('responses.new')})` : `• ${line}`;
  });
  const news = latest.some(({ at }) => isNew(at));
  return { text: paragraphs(lines(t('responses.title'), ...list), !news && t('responses.since')) };
};
