import { dayAndTime } from '../../api/shared/format.ts';
import { networkNames } from '../../api/shared/networks.ts';
import { healthReport } from '../../api/upkeep/reads.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { button } from './say.ts';
import type { Reply, Turn } from './types.ts';

function networkState(
  { ctx, t }: Turn,
  { transport, client, state, ...of }: Awaited<ReturnType<typeof healthReport>>['channels'][number],
): string {
  const say = translator(ctx.language, 'admin');
  const at = (moment: string | null) =>
    moment ? dayAndTime(new Date(moment), ctx.language) : say('health.networks.never');
  const told = [
    say('health.networks.received', { date: at(of.receivedAt) }),
    say('health.networks.sent', { date: at(of.sentAt) }),
    ...(of.waiting > 0 ? [say('health.networks.waiting', { count: of.waiting })] : []),
    ...(of.failedAt
      ? [say('health.networks.failed', { date: at(of.failedAt), failure: of.failure ?? '' })]
      : []),
    ...(of.undelivered
      ? [
          `${say('health.networks.undelivered', { count: of.undelivered.count })} ${of.undelivered.reason}`,
        ]
      : []),
    ...(of.template
      ? [
          say('health.networks.template', {
            date: at(of.template.at),
            reason: of.template.reason,
          }),
        ]
      : []),
  ];
  return lines(
    `• ${t('admin.pair', { name: `${networkNames[transport]} (${say(`health.networks.clients.${client}`)})`, value: say(`health.networks.state.${state}`) })}`,
    ...told.map((line) => `  ${line}`),
  );
}

/** Shows the newest health checks. */
export async function health(turn: Turn): Promise<Reply> {
  const { ctx } = turn;
  const say = translator(ctx.language, 'admin');
  const pair = (name: string, value: string) => turn.t('admin.pair', { name, value });
  const { checkedAt, overall, stale, checks, channels } = await healthReport(ctx);
  const buttons = [
    [button(turn, 'button.pending', 'pending'), button(turn, 'button.reports', 'reports')],
  ];
  const networks = lines(
    channels.length > 0 && `${say('health.networks.title')}:`,
    ...channels.map((channel) => networkState(turn, channel)),
  );
  if (!checkedAt || !overall) return { text: paragraphs(say('health.never'), networks), buttons };
  const ill = checks.filter(({ status }) => status !== 'healthy');
  const well = checks.filter(({ status }) => status === 'healthy');
  return {
    text: paragraphs(
      lines(
        pair(say('health.overall'), say(`health.status.${overall}`)),
        say('health.lastChecked', { date: dayAndTime(new Date(checkedAt), ctx.language) }),
        stale && say('health.stale'),
      ),
      lines(
        ...ill.map(
          ({ name, status, message }) =>
            `• ${pair(`${say(`health.checks.${name}`)} (${say(`health.status.${status}`)})`, message)}`,
        ),
      ),
      networks,
      well.length > 0 &&
        pair(
          say('health.status.healthy'),
          well.map(({ name }) => say(`health.checks.${name}`)).join(', '),
        ),
    ),
    buttons,
  };
}
