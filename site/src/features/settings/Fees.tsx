import { useMutation } from '@tanstack/react-query';
import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import { type ApiClient, ApiError, unwrap } from '../../lib/api.ts';
import { dateTime, money } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { type Asked, keepInAddress, pageAsked } from '../admin/address.ts';
import { callIt } from '../admin/callIt.ts';
import { keptWithin, ReadState, useNews, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import type { SettingsDesk } from './values.ts';

type Fee = InferResponseType<ApiClient['admin']['fees']['$get'], 200>['fees'][number];
const states = ['due', 'paid', 'waived'] as const;
type State = (typeof states)[number];
const verbs = { paid: 'markPaid', waived: 'waive', due: 'markDue' } as const;

/** The listing fees by state, and their marking as paid, waived or due again (product R31). Nothing here claims a payment that nobody saw. */
export function Fees({ desk, asked }: { desk: SettingsDesk; asked: Asked }) {
  const { t, d, api, client, lost, language } = desk;
  const [{ state, page }, setShown] = useState({ state: states.find((known) => known === asked.state) ?? ('due' as State), page: pageAsked(asked) });
  const [asking, setAsking] = useState<{ fee: Fee; to: State } | null>(null);
  const show = (next: { state: State; page: number }) => {
    setShown(next);
    keepInAddress({ state: next.state === 'due' ? '' : next.state, page: next.page });
  };
  const list = useRead(['fees', state, page], () => unwrap(api.admin.fees.$get({ query: { state, page: String(page) } }), d('connection')), desk, {
    placeholderData: keptWithin(state),
  });
  const refresh = () => client.invalidateQueries({ queryKey: ['fees'] });
  useNews(['pending', 'product'], refresh);
  const nameOf = (fee: Fee | undefined) => (fee ? callIt(fee.name, language, t('unnamed')) : '');

  const mark = useMutation(
    {
      mutationFn: ({ fee, to }: { fee: Fee; to: State }) =>
        unwrap(
          api.admin.fees[':id'].$put({ param: { id: fee.id }, json: { state: to, seen: { state: fee.feeState ?? state, reference: fee.feeReference } } }),
          d('connection'),
        ),
      onSuccess: (_, { fee }) => {
        toast.success(t('feeList.updated'), { description: nameOf(fee) });
        setAsking(null);
        return refresh();
      },
      onError: (error) => {
        toast.error(t('feeList.failed'), { description: why(error) });
        if (lost(error) || !(error instanceof ApiError)) return;
        // Another admin was faster, or the product was listed again.
        if (error.code === 'conflict' || error.code === 'products.notFound') {
          setAsking(null);
          refresh();
        }
      },
    },
    client,
  );

  const { isFetching, isPending } = list;

  const ask = (fee: Fee, to: State) => {
    mark.reset();
    setAsking({ fee, to });
  };
  const columns: Column<Fee>[] = [
    { key: 'product', header: t('feeList.product'), kind: 'main', cell: (fee) => <span className="fees__name">{nameOf(fee)}</span> },
    { key: 'seller', header: t('feeList.seller'), cell: ({ sellerName }) => sellerName ?? '' },
    { key: 'amount', header: t('feeList.amount'), kind: 'number', cell: ({ listingFee }) => <strong>{money(listingFee ?? 0, language)}</strong> },
    { key: 'method', header: t('feeList.method'), cell: ({ paymentMethod }) => (paymentMethod ? t(`paymentMethods.${paymentMethod}`) : '') },
    { key: 'reference', header: t('feeList.reference'), cell: ({ feeReference }) => <code>{feeReference}</code> },
    { key: 'listed', header: t('feeList.listed'), cell: ({ createdAt }) => dateTime(createdAt, language, 'date') },
    ...(state === 'due'
      ? []
      : [
          {
            key: 'marked',
            header: t('feeList.marked'),
            cell: ({ feeMarkedAt, feeMarkedBy }: Fee) =>
              feeMarkedAt ? t('feeList.markedBy', { date: dateTime(feeMarkedAt, language), name: feeMarkedBy ?? '' }) : '',
          },
        ]),
    {
      key: 'actions',
      header: t('feeList.actions'),
      kind: 'actions',
      cell: (fee) => (
        <>
          {states
            .filter((to) => to !== fee.feeState)
            .map((to) => (
              <Button key={to} compact aria-label={`${t(`feeList.${verbs[to]}`)}: ${nameOf(fee)}`} onClick={() => ask(fee, to)}>
                {t(`feeList.${verbs[to]}`)}
              </Button>
            ))}
        </>
      ),
    },
  ];
  const fee = asking?.fee;
  const said = { name: nameOf(fee), amount: fee ? money(fee.listingFee ?? 0, language) : '', reference: fee?.feeReference ?? '' };
  const questions = {
    paid: { title: t('feeList.paidTitle'), consequence: t('feeList.confirmPaid', said) },
    waived: { title: t('feeList.waiveTitle', said), consequence: t('feeList.waiveText', said) },
    due: { title: t('feeList.dueTitle', said), consequence: t('feeList.dueText', said) },
  };
  const question = questions[asking?.to ?? 'paid'];

  return (
    <div className="stack">
      <div className="row row--apart fees__bar">
        <Select
          label={t('feeList.states')}
          value={state}
          options={states.map((value) => ({ value, label: t(`feeList.${value}`) }))}
          onChange={(event) => show({ state: states.find((known) => known === event.target.value) ?? 'due', page: 1 })}
        />
        <Button busy={isFetching && !isPending} onClick={refresh}>
          <Icon name="refresh" />
          {d('refresh')}
        </Button>
      </div>
      <ReadState
        read={list}
        loading={t('feeList.loading')}
        failed={t('feeList.loadFailed')}
        retry={d('retry')}
        empty={{ when: ({ total }) => total === 0, title: t(`feeList.empty.${state}`) }}
      >
        {({ fees }) => <DataTable caption={t('feeList.title')} columns={columns} rows={fees} rowKey={({ id }) => id} />}
      </ReadState>
      <ListPages read={list} page={page} onPage={(next) => show({ state, page: next })} t={d} />
      <ConfirmDialog
        open={asking !== null}
        tone="primary"
        title={question.title}
        consequence={question.consequence}
        confirmLabel={t(`feeList.${verbs[asking?.to ?? 'paid']}`)}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={mark.isPending}
        error={mark.error && why(mark.error)}
        onConfirm={() => asking && mark.mutate(asking)}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
