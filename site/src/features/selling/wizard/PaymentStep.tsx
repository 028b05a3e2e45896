import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listingFee } from '../../../../../api/listings/rules.ts';
import { money } from '../../../../../api/shared/text.ts';
import { paymentMethods } from '../../../../../db/vocabularies.ts';
import { browserApi, unwrap } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query.ts';
import { Note } from '../../../ui/Note.tsx';
import { Choices } from './Choices.tsx';
import type { StepProps } from './step.ts';
import './payment.css';

/** Payment method and recipient. No charge happens here (product R31). */
export function PaymentStep({ language, words, t, answers, errors, set }: StepProps) {
  const api = useMemo(() => browserApi(language), [language]);
  // Optional here: the dashboard shows it again.
  const payees = useQuery(
    {
      queryKey: ['payees'],
      queryFn: () => unwrap(api.products.payees.$get(), words.connection),
      retry: 1,
    },
    queryClient(),
  );
  const fee = money(listingFee(answers.durationHours, answers.listingType), language);
  const method = paymentMethods.find((known) => known === answers.paymentMethod);
  const to = method && payees.data?.[method];
  const whom = !to
    ? ''
    : method === 'cash'
      ? t('fee.payCash', { fee, payee: to.payee })
      : to.number
        ? t('fee.payTo', {
            fee,
            method: words.paymentMethods[method],
            number: to.number.replaceAll(' ', '\u00a0'),
            payee: to.payee,
          })
        : '';
  return (
    <>
      <Choices
        legend={t('fields.paymentMethod')}
        name="paymentMethod"
        required
        error={errors.paymentMethod}
        options={paymentMethods.map((value) => ({ value, label: words.paymentMethods[value] }))}
        value={answers.paymentMethod as (typeof paymentMethods)[number] | ''}
        onChoose={(value) => set('paymentMethod', value)}
      />
      <div role="status">
        <Note title={t('fee.yours', { fee })}>
          {whom && <p className="wizard__payee">{whom}</p>}
          <p>{t(whom ? 'fee.afterwards' : 'fee.note')}</p>
        </Note>
      </div>
    </>
  );
}
