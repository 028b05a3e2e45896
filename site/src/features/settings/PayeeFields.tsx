import { TextInput } from '../../ui/Field.tsx';
import type { SettingFieldProps } from './SettingGroup.tsx';
import type { Payees } from './values.ts';

const methods = ['mtn_momo', 'orange_money', 'cash'] as const;

/** Recipient per payment method (product R31). Cash has a place or person instead of a number. */
export function PayeeFields({ t, typed, set, error, busy }: SettingFieldProps) {
  const payees = typed('payees') as Payees;
  const change = (method: (typeof methods)[number], field: 'number' | 'payee', value: string) =>
    set('payees')({ ...payees, [method]: { ...payees[method], [field]: value } });
  const input = (method: (typeof methods)[number], field: 'number' | 'payee', label: string) => (
    <TextInput
      label={label}
      inputMode={field === 'number' && method !== 'cash' ? 'tel' : 'text'}
      autoComplete="off"
      maxLength={field === 'number' ? 40 : 100}
      error={error(`payees.${method}.${field}`)}
      value={payees[method][field]}
      readOnly={busy}
      onChange={(event) => change(method, field, event.target.value)}
    />
  );
  return (
    <div className="settings__payees">
      {methods.map((method) => (
        <fieldset key={method} className="settings__payee">
          <legend>{t(`paymentMethods.${method}`)}</legend>
          {input(method, 'payee', method === 'cash' ? t('payees.place') : t('payees.payee'))}
          {input(method, 'number', t('payees.number'))}
        </fieldset>
      ))}
    </div>
  );
}
