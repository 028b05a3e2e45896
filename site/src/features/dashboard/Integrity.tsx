import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { ReadState, useNews, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import type { DashboardDesk } from './Dashboard.tsx';

type Incomplete = {
  id: string;
  product_name: string;
  status: 'pending' | 'approved' | 'rejected';
  seller_name: string | null;
  missing_fields: string[];
  created_at: string;
};
const tones = { pending: 'wait', approved: 'good', rejected: 'bad' } as const;

/** The report of incomplete products (product §2 Data Integrity, §4): Recheck, or Approve Anyway after a confirmation. */
export function Integrity({ desk }: { desk: DashboardDesk }) {
  const { t, d, api, client, language, lost } = desk;
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Incomplete | null>(null);
  const ask = () => unwrap(api.admin.integrity.$get({ query: { page: String(page) } }), d('connection'));
  const read = useRead(['integrity', page], ask, desk, { placeholderData: keepPreviousData });
  const refresh = () => client.invalidateQueries({ queryKey: ['integrity'] });
  useNews(['product', 'pending', 'queue'], refresh);
  const fields = (missing: readonly string[]) => missing.map((field) => t(`integrity.fields.${field as 'name'}`)).join(', ');

  const recheck = useMutation(
    {
      mutationFn: (product: Incomplete) => unwrap(api.admin.integrity[':id'].recheck.$post({ param: { id: product.id } }), d('connection')),
      onSuccess: ({ approved, missing_fields }, product) => {
        if (approved) toast.success(t('integrity.rechecked'), { description: product.product_name });
        else toast.error(t('integrity.stillIncomplete'), { description: `${product.product_name}: ${fields(missing_fields)}` });
        // Not waited for: the button is free again at once.
        refresh();
      },
      onError: (error) => {
        if (lost(error)) return;
        toast.error(t('integrity.recheckFailed'), { description: why(error) });
        refresh();
      },
    },
    client,
  );
  const approve = useMutation(
    {
      mutationFn: (product: Incomplete) => unwrap(api.admin.integrity[':id'].approve.$post({ param: { id: product.id } }), d('connection')),
      onSuccess: (_, product) => {
        toast.success(t('integrity.approved'), { description: product.product_name });
        setAsked(null);
        return refresh();
      },
      onError: (error) => {
        if (!lost(error)) refresh();
      },
    },
    client,
  );
  const open = (product: Incomplete) => {
    approve.reset();
    setAsked(product);
  };

  const columns: Column<Incomplete>[] = [
    { key: 'id', header: t('integrity.columns.id'), cell: (row) => <code className="integrity__id">{row.id}</code> },
    { key: 'product_name', header: t('integrity.columns.product_name'), kind: 'main', cell: (row) => row.product_name },
    { key: 'status', header: t('integrity.columns.status'), cell: (row) => <Badge tone={tones[row.status]}>{t(`statuses.${row.status}`)}</Badge> },
    { key: 'seller_name', header: t('integrity.columns.seller_name'), cell: (row) => row.seller_name ?? '–' },
    { key: 'missing_fields', header: t('integrity.columns.missing_fields'), cell: (row) => fields(row.missing_fields) },
    {
      key: 'created_at',
      header: t('integrity.columns.created_at'),
      cell: (row) => <time dateTime={row.created_at}>{dateTime(row.created_at, language, 'date')}</time>,
    },
    {
      key: 'actions',
      header: t('integrity.columns.actions'),
      kind: 'actions',
      cell: (row) => (
        <>
          <Button
            compact
            aria-label={`${t('integrity.recheck')}: ${row.product_name}`}
            disabled={row.status === 'rejected'}
            busy={recheck.isPending && recheck.variables?.id === row.id}
            onClick={() => recheck.mutate(row)}
          >
            {t('integrity.recheck')}
          </Button>
          <Button compact aria-label={`${t('integrity.approveAnyway')}: ${row.product_name}`} disabled={row.status !== 'pending'} onClick={() => open(row)}>
            {t('integrity.approveAnyway')}
          </Button>
        </>
      ),
    },
  ];

  return (
    <section className="stack integrity" aria-labelledby="integrity">
      <div className="row row--apart">
        <div>
          <h2 id="integrity">{t('integrity.title')}</h2>
          <p className="soft">{t('integrity.text')}</p>
        </div>
        <Button busy={read.isFetching && !read.isPending} onClick={refresh}>
          <Icon name="refresh" />
          {d('refresh')}
        </Button>
      </div>
      <ReadState
        read={read}
        loading={t('loading')}
        failed={t('integrity.loadFailed')}
        retry={d('retry')}
        empty={{ when: ({ total }) => total === 0, title: t('integrity.empty') }}
      >
        {({ products }) => <DataTable caption={t('integrity.title')} columns={columns} rows={products} rowKey={(row) => row.id} />}
      </ReadState>
      <ListPages read={read} page={page} onPage={setPage} t={d} />
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('integrity.confirmTitle', { name: asked?.product_name ?? '' })}
        consequence={t('integrity.confirmText', { fields: fields(asked?.missing_fields ?? []) })}
        confirmLabel={t('integrity.approveAnyway')}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={approve.isPending}
        error={
          approve.error && (
            <>
              <strong>{t('integrity.approveFailed')}</strong>
              <br />
              {why(approve.error)}
            </>
          )
        }
        onConfirm={() => asked && approve.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
}
