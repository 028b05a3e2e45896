import { listingFee } from '../../../../../api/products/rules.ts';
import { paymentMethods } from '../../../../../api/products/schema.ts';
import { money } from '../../../lib/format.ts';
import { Note } from '../../../ui/Note.tsx';
import { Choices } from './Choices.tsx';
import type { StepProps } from './step.ts';

/** How the listing fee will be paid. Nothing is charged here (decision 31). */
export function PaymentStep({ language, words, t, answers, errors, set }: StepProps) {
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
      <Note title={t('fee.yours', { fee: money(listingFee(answers.durationHours, answers.listingType), language) })}>{t('fee.note')}</Note>
    </>
  );
}
