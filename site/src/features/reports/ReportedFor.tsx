import { notesShown } from '../../../../api/reports/rules.ts';
import { dateTime, number } from '../../lib/format.ts';
import type { Reason, Reported, ReportsScreen } from './reports.ts';

type Props = Pick<ReportsScreen, 't' | 'language'> & {
  count: number;
  reasons: Reported['reasons'];
  notes: readonly { reason: Reason; note: string | null; createdAt: string }[];
};

/** Reasons by frequency, and the newest notes. */
export function ReportedFor({ t, language, count, reasons, notes }: Props) {
  const most = Math.max(...Object.values(reasons));
  return (
    <>
      <ul className="reported__reasons">
        {(Object.entries(reasons) as [Reason, number][]).map(([reason, times]) => (
          <li key={reason}>
            <span>{t(`reasons.${reason}`)}</span>
            <meter className="reported__bar" min={0} max={most} value={times} aria-hidden="true" />
            <strong>{number(times, language)}</strong>
          </li>
        ))}
      </ul>
      {notes.length === 0 ? (
        <p className="soft small">{t('noNotes')}</p>
      ) : (
        <ul className="reported__notes" aria-label={t('details')}>
          {notes.map(({ reason, note, createdAt }, order) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: notes have no id of their own; the list is replaced as a whole
            <li key={order}>
              <q dir="auto">{note}</q>
              <span className="soft small">
                {t(`reasons.${reason}`)} · {dateTime(createdAt, language)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {notes.length === notesShown && count > notesShown && (
        <p className="soft small">{t('moreNotes', { count: notesShown })}</p>
      )}
    </>
  );
}
