import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import type { FeeState as State } from '../../../../api/listings/schema.ts';
import { money } from '../../../../api/shared/text.ts';
import { feeStates as states } from '../../../../db/vocabularies.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { type ApiClient, isRefused } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useAction } from '../actions/useAction.ts';
import type { Asked } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { productName } from '../admin/productName.ts';
import { messageOf, useLiveUpdates } from '../admin/screen.ts';
import type { SettingsScreen } from './values.ts';

type Fee = InferResponseType<ApiClient['admin']['fees']['$get'], 200>['fees'][number];
const verbs = {
  paid: 'markPaid',
  waived: 'waive',
  refunded: 'markRefunded',
  due: 'markDue',
} as const;

/**
 * Listing fees by state, with marking as paid, waived, refunded or due (product R31). Payments are
 * only ever marked by hand.
 */
export function Fees({ screen, asked }: { screen: SettingsScreen; asked: Asked }) {
  const { t, common, api, send, invalidate, signIn, language } = screen;
  const [asking, setAsking] = useState<{ fee: Fee; to: State } | null>(null);
  const list = useAdminList(screen, {
    key: ['fees'],
    load: (query) => send(api.admin.fees.$get({ query })),
    filter: { state: states.find((known) => known === asked.state) ?? ('due' as State) },
    asked,
    inAddress: ({ state }) => ({ state: state === 'due' ? '' : state }),
    keepsFilter: true,
  });
  const { state } = list.filter;
  const refresh = () => invalidate('fees');
  useLiveUpdates(['pending', 'product'], refresh);
  const nameOf = (fee: Fee | undefined) => (fee ? productName(fee, screen) : '');

  const mark = useAction({
    signIn,
    call: ({ fee, to }: { fee: Fee; to: State }) =>
      send(
        api.admin.fees[':id'].$put({
          param: { id: fee.id },
          json: { state: to, seen: { state: fee.feeState ?? state, reference: fee.feeReference } },
        }),
      ),
    success: (_, { fee }) => ({ title: t('feeList.updated'), description: nameOf(fee) }),
    failure: (error) => ({ title: t('feeList.failed'), description: messageOf(error) }),
    // Another admin was faster, or the product was relisted.
    isOutdated: isRefused('conflict', 'products.notFound'),
    close: () => setAsking(null),
    invalidates: [['fees']],
  });

  const { isFetching, isPending, data } = list.read;
  const gone = data?.gone;

  const ask = (fee: Fee, to: State) => {
    mark.reset();
    setAsking({ fee, to });
  };
  const columns: Column<Fee>[] = [
    {
      key: 'product',
      header: t('feeList.product'),
      kind: 'main',
      cell: (fee) => <bdi>{nameOf(fee)}</bdi>,
    },
    {
      key: 'seller',
      header: t('feeList.seller'),
      cell: ({ sellerName }) => <bdi>{sellerName}</bdi>,
    },
    {
      key: 'amount',
      header: t('feeList.amount'),
      kind: 'number',
      cell: ({ listingFee }) => <strong>{money(listingFee ?? 0, language)}</strong>,
    },
    {
      key: 'method',
      header: t('feeList.method'),
      cell: ({ paymentMethod }) => (paymentMethod ? t(`paymentMethods.${paymentMethod}`) : ''),
    },
    {
      key: 'reference',
      header: t('feeList.reference'),
      cell: ({ feeReference }) => <code>{feeReference}</code>,
    },
    {
      key: 'listed',
      header: t('feeList.listed'),
      cell: ({ createdAt }) => dateTime(createdAt, language, 'date'),
    },
    ...(state === 'due'
      ? []
      : [
          {
            key: 'marked',
            header: t('feeList.marked'),
            cell: ({ feeMarkedAt, feeMarkedBy }: Fee) =>
              feeMarkedAt
                ? t('feeList.markedBy', {
                    date: dateTime(feeMarkedAt, language),
                    name: feeMarkedBy ?? '',
                  })
                : '',
          },
        ]),
    {
      key: 'actions',
      header: t('feeList.actions'),
      kind: 'actions',
      cell: (fee) => (
        <>
          {states
            .filter((to) => to !== fee.feeState && (to !== 'refunded' || fee.feeState === 'paid'))
            .map((to) => (
              <Button
                key={to}
                compact
                aria-label={`${t(`feeList.${verbs[to]}`)}: ${isolate(nameOf(fee))}`}
                onClick={() => ask(fee, to)}
              >
                {t(`feeList.${verbs[to]}`)}
              </Button>
            ))}
        </>
      ),
    },
  ];
  const fee = asking?.fee;
  const said = {
    name: nameOf(fee),
    amount: fee ? money(fee.listingFee ?? 0, language) : '',
    reference: fee?.feeReference ?? '',
  };
  const questions = {
    paid: { title: t('feeList.paidTitle'), consequence: t('feeList.confirmPaid', said) },
    waived: { title: t('feeList.waiveTitle', said), consequence: t('feeList.waiveText', said) },
    refunded: {
      title: t('feeList.refundedTitle', said),
      consequence: t('feeList.refundedText', said),
    },
    due: { title: t('feeList.dueTitle', said), consequence: t('feeList.dueText', said) },
  };
  const question = questions[asking?.to ?? 'paid'];

  return (
    <div className="stack fees">
      <div className="row row--apart fees__bar">
        <Select
          label={t('feeList.states')}
          value={state}
          options={states.map((value) => ({ value, label: t(`feeList.${value}`) }))}
          onChange={(event) =>
            list.setFilter({ state: states.find((known) => known === event.target.value) ?? 'due' })
          }
        />
        <Button busy={isFetching && !isPending} onClick={refresh}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      <AdminList
        screen={screen}
        list={list}
        loading={t('feeList.loading')}
        failed={t('feeList.loadFailed')}
        empty={{ title: t(`feeList.empty.${state}`) }}
      >
        {({ fees }) => (
          <DataTable
            wide
            caption={t('feeList.title')}
            columns={columns}
            rows={fees}
            rowKey={({ id }) => id}
          />
        )}
      </AdminList>
      {gone && gone.count > 0 && (
        <p className="soft">
          {t('feeList.gone', { count: gone.count, amount: money(gone.sum, language) })}
        </p>
      )}
      <ConfirmDialog
        open={asking !== null}
        tone="primary"
        title={question.title}
        consequence={question.consequence}
        confirmLabel={t(`feeList.${verbs[asking?.to ?? 'paid']}`)}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={mark.isPending}
        error={mark.error && messageOf(mark.error)}
        onConfirm={() => asking && mark.mutate(asking)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
