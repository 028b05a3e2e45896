import { useState } from 'react';
import type { MissingField } from '../../../../api/products/rules.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { keepInAddress } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { messageOf, useLiveUpdates } from '../admin/screen.ts';
import type { DashboardLinks, DashboardScreen } from './words.ts';

type Incomplete = {
  id: string;
  product_name: string;
  status: 'pending' | 'approved' | 'rejected';
  seller_name: string | null;
  seller_suspended: boolean;
  missing_fields: MissingField[];
  created_at: string;
  can: { recheck: boolean; approveAnyway: boolean };
};
type Rechecked = Pick<Incomplete, 'id' | 'product_name'>;
type Props = { screen: DashboardScreen; links: DashboardLinks; corrected: string | undefined };
const tones = { pending: 'wait', approved: 'good', rejected: 'bad' } as const;

/**
 * Report of incomplete products (product §2 Data Integrity, §4): complete, Recheck, or Approve
 * Anyway.
 */
export function Integrity({ screen, links, corrected }: Props) {
  const { t, common, api, send, invalidate, signIn, language } = screen;
  const [asked, setAsked] = useState<Incomplete | null>(null);
  // A corrected product is no longer in the report but still needs its recheck.
  const [waiting, setWaiting] = useState(corrected);
  const list = useAdminList(screen, {
    key: ['integrity'],
    load: (query) => send(api.admin.integrity.$get({ query })),
    filter: {},
  });
  const refresh = () => invalidate('integrity');
  useLiveUpdates(['product', 'pending', 'queue'], refresh);
  const fields = (missing: readonly MissingField[]) =>
    missing.map((field) => t(`integrity.fields.${field}`)).join(', ');

  const recheck = useAction({
    signIn,
    call: (product: Rechecked) =>
      send(api.admin.integrity[':id'].recheck.$post({ param: { id: product.id } })),
    success: ({ approved, missing_fields }, { product_name }) =>
      approved
        ? { title: t('integrity.rechecked'), description: product_name }
        : {
            title: t('integrity.stillIncomplete'),
            tone: 'error',
            description: `${isolate(product_name)}: ${fields(missing_fields)}`,
          },
    failure: (error) => ({ title: t('integrity.recheckFailed'), description: messageOf(error) }),
    // Not awaited, so that the button is free at once.
    onDone: (_, { id }) => {
      if (id === waiting) done();
      refresh();
    },
    onRefused: () => {
      refresh();
    },
  });
  const approve = useAction({
    signIn,
    call: (product: Incomplete) =>
      send(api.admin.integrity[':id'].approve.$post({ param: { id: product.id } })),
    success: (_, product) => ({
      title: t('integrity.approved'),
      description: product.product_name,
    }),
    close: () => setAsked(null),
    onDone: refresh,
    onRefused: () => {
      refresh();
    },
  });
  const done = () => {
    setWaiting(undefined);
    keepInAddress({ corrected: undefined });
  };
  const open = (product: Incomplete) => {
    approve.reset();
    setAsked(product);
  };

  const columns: Column<Incomplete>[] = [
    {
      key: 'id',
      header: t('integrity.columns.id'),
      cell: (row) => <code className="integrity__id">{row.id}</code>,
    },
    {
      key: 'product_name',
      header: t('integrity.columns.product_name'),
      kind: 'main',
      cell: (row) => <bdi>{row.product_name}</bdi>,
    },
    {
      key: 'status',
      header: t('integrity.columns.status'),
      cell: (row) => <Badge tone={tones[row.status]}>{t(`statuses.${row.status}`)}</Badge>,
    },
    {
      key: 'seller_name',
      header: t('integrity.columns.seller_name'),
      cell: (row) => (
        <>
          <bdi>{row.seller_name ?? '–'}</bdi>{' '}
          {row.seller_suspended && <Badge tone="bad">{t('integrity.sellerSuspended')}</Badge>}
        </>
      ),
    },
    {
      key: 'missing_fields',
      header: t('integrity.columns.missing_fields'),
      cell: (row) => fields(row.missing_fields),
    },
    {
      key: 'created_at',
      header: t('integrity.columns.created_at'),
      cell: (row) => (
        <time dateTime={row.created_at}>{dateTime(row.created_at, language, 'date')}</time>
      ),
    },
    {
      key: 'actions',
      header: t('integrity.columns.actions'),
      kind: 'actions',
      cell: (row) => (
        <>
          <ButtonLink
            compact
            aria-label={`${t('integrity.complete')}: ${isolate(row.product_name)}`}
            href={`${links.products}${row.id}/edit?from=integrity`}
          >
            {t('integrity.complete')}
          </ButtonLink>
          {row.can.recheck && (
            <Button
              compact
              aria-label={`${t('integrity.recheck')}: ${isolate(row.product_name)}`}
              busy={recheck.isPending && recheck.variables?.id === row.id}
              onClick={() => recheck.mutate(row)}
            >
              {t('integrity.recheck')}
            </Button>
          )}
          {row.can.approveAnyway && (
            <Button
              compact
              aria-label={`${t('integrity.approveAnyway')}: ${isolate(row.product_name)}`}
              onClick={() => open(row)}
            >
              {t('integrity.approveAnyway')}
            </Button>
          )}
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
        <Button busy={list.read.isFetching && !list.read.isPending} onClick={refresh}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      {waiting && (
        <Note
          tone="good"
          action={
            <Button
              compact
              busy={recheck.isPending && recheck.variables?.id === waiting}
              onClick={() => recheck.mutate({ id: waiting, product_name: '' })}
            >
              {t('integrity.recheck')}
            </Button>
          }
        >
          {t('integrity.corrected')}
        </Note>
      )}
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('integrity.loadFailed')}
        empty={{ title: t('integrity.empty') }}
      >
        {({ products }) => (
          <DataTable
            wide
            caption={t('integrity.title')}
            columns={columns}
            rows={products}
            rowKey={(row) => row.id}
          />
        )}
      </AdminList>
      <ConfirmDialog
        open={asked !== null}
        tone="primary"
        title={t('integrity.confirmTitle', { name: asked?.product_name ?? '' })}
        consequence={t('integrity.confirmText', { fields: fields(asked?.missing_fields ?? []) })}
        confirmLabel={t('integrity.approveAnyway')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={approve.isPending}
        error={
          approve.error && (
            <>
              <strong>{t('integrity.approveFailed')}</strong>
              <br />
              {messageOf(approve.error)}
            </>
          )
        }
        onConfirm={() => asked && approve.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
}
