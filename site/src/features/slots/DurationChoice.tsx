import { fallbackDurationSeconds, manualDurationSeconds } from '../../../../api/listings/rules.ts';
import type { Language } from '../../../../locales/languages.ts';
import { dateTime, duration } from '../../lib/format.ts';
import { Choices } from '../selling/wizard/Choices.tsx';
import { useClock } from './clock.ts';
import { type SayAssignment, span } from './slots.ts';

export type AssignedDuration = 'manual' | 'own';

/**
 * Duration of a manual assignment (product R4): 72 hours, or the seller's choice; for a requeued
 * listing, its remaining time. Each shows its end.
 */
export function DurationChoice({
  item: { remainingSeconds, product },
  value,
  onChoose,
  t,
  language,
}: {
  item: { remainingSeconds: number | null; product: { durationSeconds: number | null } };
  value: AssignedDuration;
  onChoose: (value: AssignedDuration) => void;
  t: SayAssignment;
  language: Language;
}) {
  const minute = useClock((now) => Math.floor(now / 60_000)) * 60_000;
  const own = remainingSeconds ?? product.durationSeconds ?? fallbackDurationSeconds;
  const ends = (seconds: number) =>
    t('assigning.ends', { end: dateTime(minute + seconds * 1000, language) });
  return (
    <Choices
      legend={t('assigning.duration')}
      name="duration"
      value={value}
      onChoose={onChoose}
      options={[
        { value: 'manual', label: t('assigning.manual'), note: ends(manualDurationSeconds) },
        {
          value: 'own',
          label: t(remainingSeconds === null ? 'assigning.own' : 'assigning.left', {
            duration: own % 3600 === 0 ? duration(own, language) : span(own, t, 'span'),
          }),
          note: ends(own),
        },
      ]}
    />
  );
}
