import { useState } from 'react';
import { isolate } from '../../../../locales/isolate.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useAction } from '../actions/useAction.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { productName } from '../admin/productName.ts';
import { messageOf } from '../admin/screen.ts';
import type { Closed, ReportsScreen } from './reports.ts';

/** Closed reports, and the way to restore a removed product (product R16). */
export function ClosedReports({ screen }: { screen: ReportsScreen }) {
  const { t, common, api, send, signIn, language, isAdmin } = screen;
  const [asked, setAsked] = useState<Closed | null>(null);
  const list = useAdminList(screen, {
    key: ['closedReports'],
    load: (query) => send(api.admin.reports.closed.$get({ query })),
    filter: {},
  });
  const restore = useAction({
    signIn,
    call: ({ productId }: Closed, key) =>
      send(
        api.admin.queue[':id'].restore.$post({
          param: { id: productId },
          header: { 'idempotency-key': key },
        }),
      ),
    success: (_, closed) => ({ title: t('restored'), description: productName(closed, screen) }),
    failure: (error) => ({ title: t('restoreFailed'), description: messageOf(error) }),
    close: () => setAsked(null),
    invalidates: [['closedReports']],
  });
  return (
    <div className="stack">
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        count={4}
        empty={{ title: t('closedEmpty') }}
      >
        {({ closed }) => (
          <ul className="reports">
            {closed.map((group) => (
              <li key={`${group.productId} ${group.closedAt}`} className="reported panel">
                <div className="row row--apart reported__head">
                  <h2 dir="auto">{productName(group, screen)}</h2>
                  <span className="row">
                    {group.removed && (
                      <Badge tone="plain" icon="bin">
                        {t('removedBadge')}
                      </Badge>
                    )}
                    <Badge>{t('count', { count: group.count })}</Badge>
                  </span>
                </div>
                <p dir="auto">{group.resolution}</p>
                <p className="soft small">
                  {group.reasons.map((reason) => t(`reasons.${reason}`)).join(' · ')}
                  <br />
                  {group.by
                    ? t('closedOn', { date: dateTime(group.closedAt, language), name: group.by })
                    : t('closedOnNobody', { date: dateTime(group.closedAt, language) })}
                </p>
                {isAdmin && group.restorable && (
                  <Button
                    aria-label={`${t('restore')}: ${isolate(productName(group, screen))}`}
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
      </AdminList>
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('restoreTitle', { name: asked ? productName(asked, screen) : '' })}
        consequence={t('restoreText')}
        confirmLabel={t('restore')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={restore.isPending}
        error={restore.error && messageOf(restore.error)}
        onConfirm={() => asked && restore.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
