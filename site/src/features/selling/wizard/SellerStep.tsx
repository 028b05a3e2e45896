import { limits } from '../../../../../api/sellers/schema.ts';
import { TextInput } from '../../../ui/Field.tsx';
import { SellerPicker } from './SellerPicker.tsx';
import type { StepProps } from './step.ts';

/** Whom buyers will talk to, and where. An admin says first on whose behalf. */
export function SellerStep({ choosing, ...step }: StepProps & { choosing: boolean }) {
  const { t, answers, errors, set, left } = step;
  const text = (name: 'sellerName' | 'sellerWhatsapp' | 'sellerLocation' | 'businessName') => ({
    name,
    label: t(`fields.${name}`),
    placeholder: t(`fields.${name}Placeholder`),
    hint: t(`fields.${name}Hint`),
    value: answers[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    onBlur: () => left(name),
  });
  return (
    <>
      {choosing && <SellerPicker {...step} />}
      <TextInput {...text('sellerName')} required autoComplete="name" maxLength={limits.name.max} />
      <TextInput {...text('sellerWhatsapp')} required type="tel" inputMode="tel" autoComplete="tel" />
      <TextInput {...text('sellerLocation')} required autoComplete="off" maxLength={limits.location.max} />
      <TextInput {...text('businessName')} autoComplete="organization" maxLength={limits.businessName.max} />
    </>
  );
}
