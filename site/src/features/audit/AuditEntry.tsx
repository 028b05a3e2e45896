import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import type { AdminScreen } from '../admin/screen.ts';
import { actionSentences } from './actions.ts';
import { changes, fieldLabel, type Reading, valueText } from './changes.ts';
import type { Filter, SubjectKind } from './Filters.tsx';
import type { AuditWords } from './words.ts';

type Entry = InferResponseType<ApiClient['admin']['audit']['$get'], 200>['entries'][number];
type Props = {
  screen: AdminScreen<AuditWords>;
  words: AuditWords;
  names: Record<string, string>;
  entry: Entry;
  onFilter: (only: Filter) => void;
};

/** Entry of the audit log; a details element shows before and after. */
export function AuditEntry({ screen: { t, language }, words, names, entry, onFilter }: Props) {
  const { at, actorName, actorId, actorKind, action, subjectKind, subjectId } = entry;
  const known = actionSentences[action];
  const kind = subjectKind as SubjectKind;
  const subject = entry.subject ?? subjectId;
  const reading: Reading = { t, words, language, names };
  // The id is shown too: in the last row, and as the name's tooltip.
  const id =
    subjectId !== null && subjectId !== subject
      ? [{ field: 'id', before: subjectId, after: subjectId }]
      : [];
  const rows = [...changes(entry.before, entry.after), ...id];
  return (
    <li className="audit__entry panel">
      <div className="audit__line">
        <div className="audit__what">
          <strong>{known ? t(`actions.${known}`) : action}</strong>
          <span className="soft small">
            {kind !== 'slot' && t(`kinds.${kind}`)}
            {subject && (
              <span className="audit__subject" title={subjectId ?? undefined}>
                {' '}
                {subject}
              </span>
            )}
          </span>
        </div>
        <div className="audit__who">
          <bdi>{actorName ?? actorId ?? (actorKind === 'job' ? t('system') : actorKind)}</bdi>
          <time className="soft small" dateTime={at}>
            {dateTime(at, language, 'exact')}
          </time>
        </div>
      </div>
      <div className="row row--apart">
        {rows.length === 0 ? (
          <span className="soft small">{t('noDetails')}</span>
        ) : (
          <details className="audit__changes">
            <summary>{t('show')}</summary>
            <div className="audit__scroll">
              <table className="audit__table">
                <thead>
                  <tr>
                    <th scope="col">{t('field')}</th>
                    <th scope="col">{t('before')}</th>
                    <th scope="col">{t('after')}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ field, before, after }) => (
                    <tr key={field}>
                      <th scope="row">{field ? fieldLabel(field, reading) : t('fields.value')}</th>
                      {field === 'id' && <td colSpan={2}>{String(after)}</td>}
                      {(field === 'id' ? [] : [before, after]).map((value, side) => (
                        <td
                          key={side === 0 ? 'before' : 'after'}
                          dir="auto"
                          title={typeof value === 'string' && names[value] ? value : undefined}
                        >
                          {valueText(field, value, reading) ?? t('nothing')}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        )}
        {subjectId && (
          <Button
            compact
            variant="bare"
            aria-label={`${t('onlyThis')}: ${kind === 'slot' ? '' : t(`kinds.${kind}`)} ${subject}`}
            onClick={() => onFilter({ subjectKind: kind, subjectId })}
          >
            {t('onlyThis')}
          </Button>
        )}
      </div>
    </li>
  );
}
