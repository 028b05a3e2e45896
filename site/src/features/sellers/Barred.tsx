import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { ReadState, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import type { SellersDesk } from './sellers.ts';

/** Addresses of deleted sellers, and the way back for them (product R20). */
export function Barred({ desk }: { desk: SellersDesk }) {
  const { t, d, api, client, lost, language } = desk;
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<string | null>(null);
  const list = useRead(['barred', page], () => unwrap(api.admin.sellers.barred.$get({ query: { page: String(page) } }), d('connection')), desk, {
    placeholderData: keepPreviousData,
  });
  const unbar = useMutation(
    {
      mutationFn: (email: string) => unwrap(api.admin.sellers.unbar.$post({ json: { email } }), d('connection')),
      onSuccess: (_, email) => {
        toast.success(t('barred.unbarred'), { description: email });
        setAsked(null);
        return client.invalidateQueries({ queryKey: ['barred'] });
      },
      onError: (error, email) => {
        toast.error(t('barred.unbarFailed'), { description: `${email}: ${why(error)}` });
        lost(error);
      },
    },
    client,
  );
  return (
    <div className="stack">
      <p className="soft">{t('barred.text')}</p>
      <ReadState
        read={list}
        loading={t('barred.loading')}
        failed={t('barred.loadFailed')}
        retry={d('retry')}
        count={3}
        empty={{ when: ({ total }) => total === 0, title: t('barred.empty') }}
      >
        {({ addresses }) => (
          <DataTable
            caption={t('sections.barred')}
            rows={addresses}
            rowKey={({ email }) => email}
            columns={[
              { key: 'email', header: t('barred.email'), kind: 'main', cell: ({ email }) => <span className="sellers__address">{email}</span> },
              { key: 'when', header: t('barred.when'), cell: ({ barredAt }) => dateTime(barredAt, language) },
              { key: 'by', header: t('barred.by'), cell: ({ by }) => by ?? '' },
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
      </ReadState>
      <ListPages read={list} page={page} onPage={setPage} t={d} />
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('barred.unbarTitle', { email: asked ?? '' })}
        consequence={t('barred.unbarText')}
        confirmLabel={t('barred.unbar')}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={unbar.isPending}
        error={unbar.error && why(unbar.error)}
        onConfirm={() => asked && unbar.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
