import { TextInput } from '../../../ui/Field.tsx';
import { PlaceField } from '../../../ui/PlaceField.tsx';
import { SellerPicker } from './SellerPicker.tsx';
import { bind, bindText, type StepProps } from './step.ts';

export function SellerStep({ choosing, ...step }: StepProps & { choosing: boolean }) {
  const { t } = step;
  const text = (name: 'sellerName' | 'sellerWhatsapp' | 'sellerLocation' | 'businessName') => ({
    ...(name === 'sellerWhatsapp' ? bind(step, name) : bindText(step, name)),
    label: t(`fields.${name}`),
    placeholder: t(`fields.${name}Placeholder`),
    hint: t(`fields.${name}Hint`),
  });
  return (
    <>
      {choosing && <SellerPicker {...step} />}
      <TextInput {...text('sellerName')} required autoComplete="name" />
      <TextInput
        {...text('sellerWhatsapp')}
        required
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <PlaceField
        {...text('sellerLocation')}
        required
        language={step.language}
        place={step.words.place}
      />
      <TextInput {...text('businessName')} autoComplete="organization" />
    </>
  );
}
