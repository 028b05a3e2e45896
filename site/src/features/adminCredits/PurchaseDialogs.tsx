import type * as z from 'zod/mini';
import { amountIn, priceOf } from '../../../../api/payments/rules.ts';
import { closing, refunding, refundOrder, settlement } from '../../../../api/payments/schema.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { isRefused } from '../../lib/api.ts';
import { Select, TextArea, TextInput } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import { FormDialog } from '../admin/FormDialog.tsx';
import { messageOf } from '../admin/screen.ts';
import type { useForm } from '../forms/useForm.ts';
import { type CreditsScreen, type Purchase, priceText, readWhole, refundedOf } from './credits.ts';

export type Asking = {
  about: 'settle' | 'close' | 'refund' | 'refundOrder';
  purchase: Purchase;
};
type Props = {
  screen: CreditsScreen;
  validation: Dictionaries['validation'];
  asking: Asking | null;
  name: string;
  onClose: () => void;
};
type Refunding = z.input<typeof refunding> & { purchase: Purchase };
type Field = ReturnType<typeof useForm>['field'];
type Ordering = z.input<typeof refundOrder> & { purchase: Purchase };
type Closing = { outcome: 'failed' | 'cancelled'; reason: string };

/** Another admin was faster, or the buyer cancelled. */
const isOutdated = isRefused('conflict', 'payments.notFound');
const outcomes = ['cancelled', 'failed'] as const;

/**
 * Dialogs for settling cash, ending a purchase and recording a refund. Repeats are harmless: the API
 * recognizes the reference, the reason, and what was refunded before.
 */
export function PurchaseDialogs({ screen, validation, asking, name, onClose }: Props) {
  const { t, api, send, signIn, language } = screen;
  const one = api.admin.credits.purchases[':id'];
  const shared = {
    signIn,
    isOutdated,
    close: onClose,
    invalidates: [['purchases'], ['creditLedger'], ['creditMembers'], ['creditJournal']],
  };
  const settle = useAction({
    ...shared,
    call: ({ purchase: { id }, reference }: { purchase: Purchase; reference: string }) =>
      send(one.settle.$post({ param: { id }, json: { reference } })),
    success: () => ({ title: t('settled'), description: name }),
    failure: (error) => ({ title: t('settleFailed'), description: messageOf(error) }),
  });
  const close = useAction({
    ...shared,
    call: ({ purchase: { id }, ...json }: { purchase: Purchase } & Closing) =>
      send(one.close.$post({ param: { id }, json })),
    success: () => ({ title: t('closed'), description: name }),
    failure: (error) => ({ title: t('closeFailed'), description: messageOf(error) }),
  });

  const refund = useAction({
    ...shared,
    call: ({ purchase: { id }, ...json }: Refunding, key) =>
      send(one.refund.$post({ param: { id }, header: { 'idempotency-key': key }, json })),
    success: () => ({ title: t('refundDone'), description: name }),
    failure: (error) => ({ title: t('refundFailed'), description: messageOf(error) }),
  });

  const order = useAction({
    ...shared,
    call: ({ purchase: { id }, ...json }: Ordering, key) =>
      send(one['refund-order'].$post({ param: { id }, header: { 'idempotency-key': key }, json })),
    success: () => ({ title: t('refundOrdered'), description: name }),
    failure: (error) => ({ title: t('refundFailed'), description: messageOf(error) }),
  });

  const { purchase } = asking ?? {};
  const refunded = purchase ? refundedOf(purchase) : 0;
  const said = {
    name,
    purchase: purchase?.reference ?? '',
    price: purchase ? priceText(purchase, language) : '',
    credits: purchase?.creditsAmount ?? 0,
    left: purchase ? amountIn(purchase, priceOf(purchase) - refunded, language) : '',
    currency: purchase?.currency ?? '',
  };
  const isCash = purchase?.purchaseMethod === 'cash_partner';
  const form = { screen, validation, isOutdated, onClose };
  const amount = (field: Field) => (
    <TextInput
      required
      inputMode="numeric"
      label={t('refundAmount', said)}
      autoComplete="off"
      {...field('amount')}
    />
  );
  const reason = (field: Field) => (
    <TextArea
      required
      label={t('reason')}
      hint={t('closeReasonHint')}
      maxLength={300}
      {...field('reason')}
    />
  );
  return (
    <>
      <FormDialog
        {...form}
        open={asking?.about === 'settle'}
        title={t('settleTitle', said)}
        text={t('settleText', said)}
        submit={t('settle')}
        schema={settlement}
        send={async ({ reference }) => purchase && settle.mutateAsync({ purchase, reference })}
      >
        {(field) => (
          <TextInput
            required
            label={t('paymentReference')}
            hint={t('paymentReferenceHint')}
            maxLength={100}
            autoComplete="off"
            {...field('reference')}
          />
        )}
      </FormDialog>
      <FormDialog
        {...form}
        danger
        open={asking?.about === 'close'}
        title={t('closeTitle', said)}
        text={t('closeText', said)}
        submit={t('close')}
        schema={closing}
        send={async (values) => purchase && close.mutateAsync({ purchase, ...values })}
      >
        {(field) => (
          <>
            <Select
              required
              label={t('outcome')}
              name="outcome"
              error={field('outcome').error}
              options={(isCash ? outcomes : outcomes.slice(1)).map((value) => ({
                value,
                label: t(`outcomes.${value}`),
              }))}
            />
            {reason(field)}
          </>
        )}
      </FormDialog>
      <FormDialog
        {...form}
        danger
        open={asking?.about === 'refund'}
        title={t('refundTitle', said)}
        text={t(purchase?.creditsAmount === null ? 'refundFeeText' : 'refundText', said)}
        submit={t('refund')}
        schema={refunding}
        read={({ amount = '', reference = '', reason = '' }) => ({
          ...{ amount: readWhole(amount) ?? Number.NaN, reference, reason, refunded },
        })}
        send={async (values) => purchase && refund.mutateAsync({ purchase, ...values })}
      >
        {(field) => (
          <>
            {amount(field)}
            <TextInput
              required
              label={t('refundReference')}
              hint={t('refundReferenceHint')}
              maxLength={100}
              autoComplete="off"
              {...field('reference')}
            />
            {reason(field)}
          </>
        )}
      </FormDialog>
      <FormDialog
        {...form}
        danger
        open={asking?.about === 'refundOrder'}
        title={t('refundTitle', said)}
        text={t('refundOrderText', said)}
        submit={t('refundOrder')}
        schema={refundOrder}
        read={({ amount = '', reason = '' }) => ({
          ...{ amount: readWhole(amount) ?? Number.NaN, reason, refunded },
        })}
        send={async (values) => purchase && order.mutateAsync({ purchase, ...values })}
      >
        {(field) => (
          <>
            {amount(field)}
            {reason(field)}
          </>
        )}
      </FormDialog>
    </>
  );
}
