import { useState } from 'react';
import { amountIn, mayBePaid } from '../../../../api/payments/rules.ts';
import { translationOf } from '../../../../api/shared/text.ts';
import { purchaseStates } from '../../../../db/vocabularies.ts';
import { isolate } from '../../../../locales/isolate.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useAction } from '../actions/useAction.ts';
import type { Asked } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { messageOf } from '../admin/screen.ts';
import { type CreditsScreen, type Purchase, priceText } from './credits.ts';
import { type Asking, PurchaseDialogs } from './PurchaseDialogs.tsx';

type Props = {
  screen: CreditsScreen;
  validation: Dictionaries['validation'];
  asked: Asked;
  onMember: (number: number) => void;
};

/** Purchases by state, pending first: cash is settled by hand, and any pending one can be ended. */
export function Purchases({ screen, validation, asked, onMember }: Props) {
  const { t, common, api, send, signIn, invalidate, language } = screen;
  const [asking, setAsking] = useState<Asking | null>(null);
  const list = useAdminList(screen, {
    key: ['purchases'],
    load: (query) => send(api.admin.credits.purchases.$get({ query })),
    filter: { status: purchaseStates.find((known) => known === asked.status) ?? 'pending' },
    asked,
    inAddress: ({ status }) => ({ status: status === 'pending' ? '' : status }),
    keepsFilter: true,
  });
  const { status } = list.filter;
  const nameOf = ({ name, member }: Purchase) =>
    name ?? (member === null ? t('accountGone') : t('memberNumber', { number: String(member) }));
  const refundText = (purchase: Purchase, refund: Purchase['refunds'][number]) => {
    const { at, reference, reason, creditsTaken, creditsDue, status: state, failure } = refund;
    const amount = amountIn(purchase, refund.amount, language);
    if (state === 'pending') return t('refundPending', { amount });
    if (state === 'failed') return t('refundFailedLine', { amount, code: failure ?? '' });
    return t('refundedLine', {
      ...{ amount, date: dateTime(at, language) },
      ...{ reference: reference ?? '', reason, taken: creditsTaken, due: creditsDue },
    });
  };
  const endOf = (purchase: Purchase) => {
    const { completedAt, closedAt, failure, paymentReference, refunds } = purchase;
    const closedReason = purchase.closedReason ?? (failure && t(`failures.${failure}`));
    if (completedAt)
      return [
        t('paidOn', {
          date: dateTime(completedAt, language),
          reference: paymentReference ?? '',
        }),
        ...refunds.map((refund) => refundText(purchase, refund)),
      ].join(' ');
    if (!closedAt) return null;
    const date = dateTime(closedAt, language);
    return closedReason ? t('endedWhy', { date, reason: closedReason }) : t('endedOn', { date });
  };
  const again = useAction({
    signIn,
    call: ({ id }: Purchase) =>
      send(api.admin.credits.purchases[':id'].ask.$post({ param: { id } })),
    success: ({ status: state }, purchase) => ({
      title: t('askDone'),
      description: t('askState', { name: nameOf(purchase), state: t(`state.${state}`) }),
    }),
    failure: (error) => ({ title: t('askFailed'), description: messageOf(error) }),
    invalidates: [['purchases'], ['creditJournal']],
  });
  const act = (about: Asking['about'], purchase: Purchase) => (
    <Button
      compact
      aria-label={`${t(about)}: ${isolate(nameOf(purchase))}, ${purchase.reference}`}
      onClick={() => setAsking({ about, purchase })}
    >
      {t(about)}
    </Button>
  );
  const columns: Column<Purchase>[] = [
    {
      key: 'buyer',
      header: t('columns.buyer'),
      kind: 'main',
      cell: (purchase) => (
        <>
          <bdi className="credits__name">{nameOf(purchase)}</bdi>
          <bdi className="soft small credits__line">{purchase.email ?? t('accountGone')}</bdi>
        </>
      ),
    },
    {
      key: 'reference',
      header: t('columns.reference'),
      cell: ({ reference }) => <code>{reference}</code>,
    },
    {
      key: 'subject',
      header: t('columns.subject'),
      cell: ({ creditsAmount, product, paidBefore }) =>
        creditsAmount === null ? (
          <>
            {t('feeOf', { product: translationOf(product, language)?.text ?? '–' })}{' '}
            {paidBefore && <Badge tone="bad">{t('paidBefore')}</Badge>}
          </>
        ) : (
          t('creditsOf', { credits: creditsAmount })
        ),
    },
    {
      key: 'method',
      header: t('columns.method'),
      cell: ({ purchaseMethod, network, testMode }) => (
        <>
          {network ? t(`networks.${network}`) : t(`methods.${purchaseMethod}`)}{' '}
          {testMode && <Badge tone="info">{t('testMode')}</Badge>}
        </>
      ),
    },
    {
      key: 'price',
      header: t('columns.price'),
      kind: 'number',
      cell: (purchase) => <strong>{priceText(purchase, language)}</strong>,
    },
    {
      key: 'created',
      header: t('columns.created'),
      cell: ({ createdAt }) => dateTime(createdAt, language),
    },
    ...(status === 'pending'
      ? []
      : [
          {
            key: 'end',
            header: t('columns.end'),
            cell: (purchase: Purchase) => (
              <>
                <bdi className="credits__line">{endOf(purchase)}</bdi>
                {purchase.receipts.map(({ name }) => (
                  <span key={name} className="credits__receipt">
                    {' '}
                    <a href={`/api/receipts/${name}?language=${language}`} download>
                      {name}
                    </a>
                  </span>
                ))}
              </>
            ),
          },
        ]),
    {
      key: 'actions',
      header: t('columns.actions'),
      kind: 'actions',
      cell: (purchase) => (
        <>
          {purchase.status === 'pending' &&
            purchase.purchaseMethod === 'cash_partner' &&
            act('settle', purchase)}
          {purchase.purchaseMethod !== 'cash_partner' && mayBePaid(purchase) && (
            <Button
              compact
              busy={again.isPending && again.variables?.id === purchase.id}
              aria-label={`${t('ask')}: ${isolate(nameOf(purchase))}, ${purchase.reference}`}
              onClick={() => again.mutate(purchase)}
            >
              {t('ask')}
            </Button>
          )}
          {purchase.status === 'pending' && act('close', purchase)}
          {canRefund(purchase) && (
            <>
              {purchase.givesBack && act('refundOrder', purchase)}
              {act('refund', purchase)}
            </>
          )}
          <OpenLedger member={purchase.member} name={nameOf(purchase)} {...{ t, onMember }} />
        </>
      ),
    },
  ];
  const { data, isFetching, isPending } = list.read;

  return (
    <div className="stack credits">
      <div className="credits__bar">
        <Select
          label={t('states')}
          name="status"
          value={status}
          options={purchaseStates.map((value) => ({ value, label: t(`state.${value}`) }))}
          onChange={(event) =>
            list.setFilter({
              status: purchaseStates.find((known) => known === event.target.value) ?? 'pending',
            })
          }
        />
        <Button busy={isFetching && !isPending} onClick={() => invalidate('purchases')}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      <p className="soft" role="status">
        {data && data.total > 0 && t('count', { count: data.total })}
      </p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        empty={{ title: t(`empty.${status}`) }}
      >
        {({ purchases }) => (
          <DataTable
            wide
            caption={t('purchases')}
            columns={columns}
            rows={purchases}
            rowKey={({ id }) => id}
          />
        )}
      </AdminList>
      <PurchaseDialogs
        screen={screen}
        validation={validation}
        asking={asking}
        name={asking ? nameOf(asking.purchase) : ''}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}

const canRefund = ({ status, refunds }: Purchase): boolean =>
  (status === 'completed' || status === 'partly_refunded') &&
  !refunds.some((refund) => refund.status === 'pending');

/** Button that opens the buyer's ledger; a fee has none. */
function OpenLedger({
  member,
  name,
  t,
  onMember,
}: {
  member: number | null;
  name: string;
  t: CreditsScreen['t'];
  onMember: Props['onMember'];
}) {
  if (member === null) return null;
  return (
    <Button
      compact
      variant="bare"
      aria-label={`${t('openLedger')}: ${isolate(name)}`}
      onClick={() => onMember(member)}
    >
      {t('openLedger')}
    </Button>
  );
}
