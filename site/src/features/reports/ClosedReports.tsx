import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { callIt } from '../admin/callIt.ts';
import { ReadState, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import type { Closed, ReportsDesk } from './reports.ts';

/** What was done about earlier reports, and the way back for a removed product (product R16). */
export function ClosedReports({ desk }: { desk: ReportsDesk }) {
  const { t, d, api, client, lost, language } = desk;
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Closed | null>(null);
  const list = useRead(['closedReports', page], () => unwrap(api.admin.reports.closed.$get({ query: { page: String(page) } }), d('connection')), desk, {
    placeholderData: keepPreviousData,
  });
  const nameOf = (closed: Closed) => callIt(closed.name, language, t('unnamed'));
  const restore = useMutation(
    {
      mutationFn: ({ productId }: Closed) => unwrap(api.admin.queue[':id'].restore.$post({ param: { id: productId } }), d('connection')),
      onSuccess: (_, closed) => {
        toast.success(t('restored'), { description: nameOf(closed) });
        setAsked(null);
        return client.invalidateQueries({ queryKey: ['closedReports'] });
      },
      onError: (error) => {
        toast.error(t('restoreFailed'), { description: why(error) });
        lost(error);
      },
    },
    client,
  );
  return (
    <div className="stack">
      <ReadState
        read={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={d('retry')}
        count={4}
        empty={{ when: ({ total }) => total === 0, title: t('closedEmpty') }}
      >
        {({ closed }) => (
          <ul className="reports">
            {closed.map((group) => (
              <li key={`${group.productId} ${group.closedAt}`} className="reported panel">
                <div className="row row--apart reported__head">
                  <h2>{nameOf(group)}</h2>
                  <span className="row">
                    {group.removed && (
                      <Badge tone="plain" icon="bin">
                        {t('removedBadge')}
                      </Badge>
                    )}
                    <Badge>{t('count', { count: group.count })}</Badge>
                  </span>
                </div>
                <p>{group.resolution}</p>
                <p className="soft small">
                  {group.reasons.map((reason) => t(`reasons.${reason}`)).join(' · ')}
                  <br />
                  {group.by
                    ? t('closedOn', { date: dateTime(group.closedAt, language), name: group.by })
                    : t('closedOnNobody', { date: dateTime(group.closedAt, language) })}
                </p>
                {group.restorable && (
                  <Button
                    aria-label={`${t('restore')}: ${nameOf(group)}`}
                    onClick={() => {
                      restore.reset();
                      setAsked(group);
                    }}
                  >
                    {t('restore')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ReadState>
      <ListPages read={list} page={page} onPage={setPage} t={d} />
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('restoreTitle', { name: asked ? nameOf(asked) : '' })}
        consequence={t('restoreText')}
        confirmLabel={t('restore')}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={restore.isPending}
        error={restore.error && why(restore.error)}
        onConfirm={() => asked && restore.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
