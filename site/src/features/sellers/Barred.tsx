import { useState } from 'react';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { useAction } from '../actions/useAction.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { messageOf } from '../admin/screen.ts';
import type { SellersScreen } from './sellers.ts';

/** Barred addresses of deleted sellers, with unbarring (product R20). */
export function Barred({ screen }: { screen: SellersScreen }) {
  const { t, common, api, send, signIn, language } = screen;
  const [asked, setAsked] = useState<string | null>(null);
  const list = useAdminList(screen, {
    key: ['barred'],
    load: (query) => send(api.admin.sellers.barred.$get({ query })),
    filter: {},
  });
  const unbar = useAction({
    signIn,
    call: (email: string) => send(api.admin.sellers.unbar.$post({ json: { email } })),
    success: (_, email) => ({ title: t('barred.unbarred'), description: email }),
    failure: (error, email) => ({
      title: t('barred.unbarFailed'),
      description: `${email}: ${messageOf(error)}`,
    }),
    close: () => setAsked(null),
    invalidates: [['barred']],
  });
  return (
    <div className="stack">
      <p className="soft">{t('barred.text')}</p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('barred.loading')}
        failed={t('barred.loadFailed')}
        count={3}
        empty={{ title: t('barred.empty') }}
      >
        {({ addresses }) => (
          <DataTable
            caption={t('sections.barred')}
            rows={addresses}
            rowKey={({ email }) => email}
            columns={[
              {
                key: 'email',
                header: t('barred.email'),
                kind: 'main',
                cell: ({ email }) => <span className="sellers__address">{email}</span>,
              },
              {
                key: 'when',
                header: t('barred.when'),
                cell: ({ barredAt }) => dateTime(barredAt, language),
              },
              { key: 'by', header: t('barred.by'), cell: ({ by }) => <bdi>{by}</bdi> },
              {
                key: 'actions',
                header: t('columns.actions'),
                kind: 'actions',
                cell: ({ email }) => (
                  <Button
                    compact
                    aria-label={`${t('barred.unbar')}: ${email}`}
                    onClick={() => {
                      unbar.reset();
                      setAsked(email);
                    }}
                  >
                    {t('barred.unbar')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </AdminList>
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('barred.unbarTitle', { email: asked ?? '' })}
        consequence={t('barred.unbarText')}
        confirmLabel={t('barred.unbar')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={unbar.isPending}
        error={unbar.error && messageOf(unbar.error)}
        onConfirm={() => asked && unbar.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
