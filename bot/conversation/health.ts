import { dayAndTime } from '../../api/core/format.ts';
import { healthReport } from '../../api/upkeep/reads.ts';
import { translator } from '../../locales/index.ts';
import { button, lines, paragraphs } from './say.ts';
import type { Reply, Turn } from './types.ts';

/** The newest health checks in a few lines: what is not well with its sentence, the rest by name. */
export async function health(turn: Turn): Promise<Reply> {
  const { ctx } = turn;
  const say = translator(ctx.language, 'admin');
  const pair = (name: string, value: string) => turn.t('admin.pair', { name, value });
  const { checkedAt, overall, stale, checks } = await healthReport(ctx);
  const buttons = [[button(turn, 'button.pending', 'pending'), button(turn, 'button.reports', 'reports')]];
  if (!checkedAt || !overall) return { text: say('health.never'), buttons };
  const ill = checks.filter(({ status }) => status !== 'healthy');
  const well = checks.filter(({ status }) => status === 'healthy');
  return {
    text: paragraphs(
      lines(
        pair(say('health.overall'), say(`health.status.${overall}`)),
        say('health.lastChecked', { date: dayAndTime(new Date(checkedAt), ctx.language) }),
        stale && say('health.stale'),
      ),
      lines(...ill.map(({ name, status, message }) => `• ${pair(`${say(`health.checks.${name}`)} (${say(`health.status.${status}`)})`, message)}`)),
      well.length > 0 && pair(say('health.status.healthy'), well.map(({ name }) => say(`health.checks.${name}`)).join(', ')),
    ),
    buttons,
  };
}
