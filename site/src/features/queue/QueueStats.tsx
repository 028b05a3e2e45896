import type { UseQueryResult } from '@tanstack/react-query';
import { number } from '../../lib/format.ts';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { messageOf } from '../admin/screen.ts';
import type { QueueScreen, Stats } from './queue.ts';

/**
 * Three figures (product §2; product R17, R28): the specified estimates, and the measured values.
 */
export function QueueStats({
  read,
  screen: { language, t },
}: {
  read: UseQueryResult<Stats>;
  screen: QueueScreen;
}) {
  const { data, error, isPending } = read;
  if (isPending)
    return (
      <div className="columns queue__stats">
        <Skeleton shape="row" count={3} />
      </div>
    );
  if (!data)
    return <Note tone="bad">{t('statsFailed', { reason: error ? messageOf(error) : '' })}</Note>;
  const { averageWait, processingRate, priorityItems } = data;
  const said = (value: number) => number(value, language, { maximumFractionDigits: 1 });
  const measured = (value: string | null) =>
    value === null ? t('notMeasured') : t('measured', { value });
  const cards = [
    {
      key: 'wait',
      label: t('averageWait'),
      value: t('perPosition'),
      note: t('estimated'),
      measured: measured(
        averageWait.measuredHours === null
          ? null
          : t('waitHours', { hours: said(averageWait.measuredHours) }),
      ),
    },
    {
      key: 'rate',
      label: t('processingRate'),
      value: t('perDay', { rate: said(processingRate.perDay) }),
      note: t('estimated'),
      measured: measured(
        processingRate.measuredPerDay === null
          ? null
          : t('perDay', { rate: said(processingRate.measuredPerDay) }),
      ),
    },
    {
      key: 'priority',
      label: t('priorityItems'),
      value: number(priorityItems, language),
      note: t('featuredRequests'),
      measured: null,
    },
  ];
  return (
    <div className="columns queue__stats">
      {cards.map((card) => (
        <div key={card.key} className="figure" data-figure={card.key}>
          <span className="figure__label">{card.label}</span>
          <span className="figure__value">{card.value}</span>
          <span className="figure__note">{card.note}</span>
          {card.measured && <strong className="queue__measured">{card.measured}</strong>}
        </div>
      ))}
    </div>
  );
}
