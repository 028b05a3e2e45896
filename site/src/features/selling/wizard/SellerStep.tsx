import { limits } from '../../../../../api/sellers/schema.ts';
import { Select, TextInput } from '../../../ui/Field.tsx';
import type { StepProps } from './step.ts';

/** A seller on whose behalf an admin may list. */
export type SellerChoice = { id: string; name: string; location: string | null };

/** Whom buyers will talk to, and where. An admin may also say for which account. */
export function SellerStep({ t, answers, errors, set, left, sellers, fixed }: StepProps & { sellers?: readonly SellerChoice[] | undefined; fixed: boolean }) {
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
      {sellers && !fixed && (
        <Select
          label={t('fields.onBehalf')}
          name="sellerId"
          placeholder={t('fields.onBehalfNone')}
          options={sellers.map(({ id, name }) => ({ value: id, label: name }))}
          value={answers.sellerId}
          error={errors.sellerId}
          onChange={(event) => {
            const chosen = sellers.find(({ id }) => id === event.target.value);
            set('sellerId', event.target.value);
            if (chosen && !answers.sellerName) set('sellerName', chosen.name);
            if (chosen?.location && !answers.sellerLocation) set('sellerLocation', chosen.location);
          }}
        />
      )}
      <TextInput {...text('sellerName')} required autoComplete="name" maxLength={limits.name.max} />
      <TextInput {...text('sellerWhatsapp')} required type="tel" inputMode="tel" autoComplete="tel" />
      <TextInput {...text('sellerLocation')} required autoComplete="off" maxLength={limits.location.max} />
      <TextInput {...text('businessName')} autoComplete="organization" maxLength={limits.businessName.max} />
    </>
  );
}
