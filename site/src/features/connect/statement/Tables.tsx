import type { InferResponseType } from 'hono/client';
import { amountIn } from '../../../../../api/payments/rules.ts';
import { money } from '../../../../../api/shared/text.ts';
import type { clientTranslator } from '../../../../../locales/client.ts';
import type { Dictionaries } from '../../../../../locales/keys.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { ApiClient } from '../../../lib/api.ts';
import { dateTime, number } from '../../../lib/format.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { usd } from '../credits.ts';

type Entry = InferResponseType<ApiClient['credits']['$get'], 200>['entries'][number];
type Purchase = InferResponseType<
  ApiClient['credits']['purchases']['$get'],
  200
>['purchases'][number];
type Paid = InferResponseType<ApiClient['connect']['paid']['$get'], 200>[number];
type Connect = Dictionaries['connect'];
export type TableProps = {
  language: Language;
  t: ReturnType<typeof clientTranslator<Connect>>;
  to: (path: string) => string;
};

/** Entries of a statement with their purpose. Rendered on the server only. */
export function Entries({
  language,
  t,
  to,
  entries,
  paid,
  purchases,
}: TableProps & { entries: Entry[]; paid: Paid[]; purchases: Purchase[] }) {
  const whatFor = ({ kind, referenceType, referenceId, purchaseId, reason, undoes }: Entry) => {
    // A refund has no reference: use the entry it undoes, if on the same page.
    const spent = entries.find(({ id }) => id === undoes);
    const post = paid.find(({ id }) => id === (referenceId ?? spent?.referenceId));
    const purchase = purchases.find(({ id }) => id === purchaseId);
    return (
      <>
        {t(
          kind === 'spend' && referenceType
            ? `statement.spent.${referenceType}`
            : `statement.kinds.${kind}`,
        )}
        {post && (
          <>
            {' · '}
            <a href={to(`/connect/${post.reference}`)}>
              <bdi>{post.title}</bdi>
            </a>
          </>
        )}
        {kind === 'spend' && !post && (
          <span className="statement__soft"> {t('statement.gone')}</span>
        )}
        {purchase && (
          <span className="statement__soft">
            {' '}
            {t(`buy.methods.${purchase.purchaseMethod}`)}, {purchase.reference}
          </span>
        )}
        {reason && (
          <span className="statement__soft">
            {' '}
            <bdi>{t('statement.reason', { reason })}</bdi>
          </span>
        )}
      </>
    );
  };
  return (
    <DataTable
      caption={t('statement.entries')}
      rows={entries}
      rowKey={({ id }) => id}
      columns={[
        { key: 'for', header: t('statement.for'), kind: 'main', cell: whatFor },
        {
          key: 'at',
          header: t('statement.date'),
          cell: ({ at }) => <time dateTime={at}>{dateTime(at, language)}</time>,
        },
        {
          key: 'amount',
          header: t('statement.amount'),
          kind: 'number',
          cell: ({ amount }) => number(amount, language, { signDisplay: 'always' }),
        },
        {
          key: 'after',
          header: t('statement.after'),
          kind: 'number',
          cell: ({ balance }) => number(balance, language),
        },
      ]}
    />
  );
}

const tones = {
  pending: 'wait',
  completed: 'good',
  failed: 'bad',
  expired: 'plain',
  cancelled: 'plain',
  partly_refunded: 'info',
  refunded: 'info',
} as const;

const completedOf = (refunds: Purchase['refunds']) =>
  refunds.filter(({ status }) => status === 'completed');

/** Purchases with their states. */
export function Purchases({ language, t, to, purchases }: TableProps & { purchases: Purchase[] }) {
  return (
    <DataTable
      caption={t('statement.purchases')}
      rows={purchases}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'what',
          header: t('statement.kinds.purchase'),
          kind: 'main',
          cell: ({ creditsAmount, purchaseMethod, testMode }) => (
            <>
              {t('buy.pack', { credits: creditsAmount })}
              <span className="statement__soft">
                {' '}
                {t(`buy.methods.${purchaseMethod}`)}
                {testMode && ` (${t('statement.test')})`}
              </span>
            </>
          ),
        },
        {
          key: 'at',
          header: t('statement.date'),
          cell: ({ createdAt }) => (
            <time dateTime={createdAt}>{dateTime(createdAt, language)}</time>
          ),
        },
        {
          key: 'reference',
          header: t('statement.reference'),
          cell: ({ id, reference, paymentReference }) => (
            <>
              <a href={to(`/pay/${id}`)}>{reference}</a>
              {paymentReference && (
                <>
                  {' · '}
                  <bdi>{paymentReference}</bdi>
                </>
              )}
            </>
          ),
        },
        {
          key: 'price',
          header: t('statement.price'),
          cell: ({ amountUsd, amountXaf }) =>
            usd(amountUsd, language) +
            (amountXaf === null ? '' : ` · ${money(amountXaf, language)}`),
        },
        {
          key: 'state',
          header: t('statement.state'),
          cell: ({ status, purchaseMethod, closedReason, failure, refunds, amountXaf }) => (
            <>
              <Badge tone={tones[status]}>{t(`statement.states.${status}`)}</Badge>
              {completedOf(refunds).map(({ amount, reference, reason, at }) => (
                <span className="statement__soft" key={at}>
                  {' '}
                  <bdi>
                    {t('statement.refunded', {
                      amount: amountIn({ amountXaf }, amount, language),
                      reference: reference ?? '',
                      reason,
                    })}
                  </bdi>
                </span>
              ))}
              {(closedReason ?? failure) && (
                <span className="statement__soft">
                  {' '}
                  <bdi>{closedReason ?? (failure && t(`buy.failures.${failure}`))}</bdi>
                </span>
              )}
              {status === 'pending' && purchaseMethod === 'cash_partner' && (
                <>
                  {' '}
                  <a href="?buy">{t('statement.toPay')}</a>
                </>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
