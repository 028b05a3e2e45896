import { dateTime } from '../../lib/format.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import type { AdminPost, PostsScreen } from './posts.ts';

/** Open and closed reports of a post. Reporters are anonymous: reporting needs no account. */
export function PostReports({ screen, post }: { screen: PostsScreen; post: AdminPost }) {
  const { t, common, api, send, language } = screen;
  const { reference, reports: known } = post;
  // The key holds the count, so that a new report reloads.
  const read = useAdminRead(screen, ['connectReports', reference, known], () =>
    send(api.admin.connect.posts[':reference'].reports.$get({ param: { reference } })),
  );
  return (
    <ReadState
      read={read}
      loading={t('reportsLoading')}
      failed={t('reportsFailed')}
      retry={common('retry')}
      shape="line"
      count={2}
    >
      {({ reports }) => (
        <ul className="reported__notes">
          {reports.map(({ id, reason, note, createdAt, resolvedAt, resolvedBy, resolution }) => {
            const closed = {
              date: resolvedAt ? dateTime(resolvedAt, language) : '',
              name: resolvedBy ?? '',
              note: resolution ?? '',
            };
            return (
              <li key={id}>
                {note ? <q dir="auto">{note}</q> : <span className="soft">{t('noNote')}</span>}
                <span className="soft small">
                  {t(`reasons.${reason}`)} · {dateTime(createdAt, language)} ·{' '}
                  <bdi>
                    {resolvedAt
                      ? t(resolvedBy ? 'reportClosed' : 'reportClosedNobody', closed)
                      : t('reportOpen')}
                  </bdi>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </ReadState>
  );
}
