import type { ComponentType } from 'react';
import { type SettingName, settingSchemas } from '../../../../api/settings/schema.ts';
import { type OwnWordsSetting, ownWords } from '../../../../locales/ownWords.ts';
import { Checkbox, TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { ColourFields } from './ColourFields.tsx';
import { PayeeFields } from './PayeeFields.tsx';
import type { SettingFieldProps } from './SettingGroup.tsx';
import { WordFields } from './WordFields.tsx';
import type { SettingWords } from './words.ts';

/** Settings with their own field; others are drawn by their value's type. */
const special: Partial<Record<SettingName, ComponentType<SettingFieldProps>>> = {
  statsMeasured: StatsChoice,
  payees: PayeeFields,
  colours: ColourFields,
};

/**
 * Input attributes of a setting. Integers are not `type=number`: browsers drop mistyped text, so no
 * error could be shown.
 */
function keyboardOf(name: SettingName) {
  if (name === 'contactNumber') return { type: 'tel', inputMode: 'tel' } as const;
  if (name === 'contactEmail')
    return { type: 'email', inputMode: 'email', autoCapitalize: 'none', maxLength: 254 } as const;
  if (name === 'xafPerUsdFrom') return { type: 'date' } as const;
  if (name === 'xafPerUsd') return { required: true, inputMode: 'decimal', maxLength: 12 } as const;
  return typeof settingSchemas[name].initial === 'number'
    ? ({ required: true, inputMode: 'numeric', maxLength: 12 } as const)
    : {};
}

export function SettingField({ name, ...props }: SettingFieldProps & { name: SettingName }) {
  const { words, typed, set, error, busy } = props;
  if (name in ownWords) return <WordFields name={name as OwnWordsSetting} {...props} />;
  const Special = special[name];
  if (Special) return <Special {...props} />;
  const said = words.fields[name as keyof SettingWords['fields']];
  if (typeof settingSchemas[name].initial === 'boolean')
    return (
      <Checkbox
        {...said}
        checked={typed(name) === true}
        disabled={busy}
        onChange={(event) => set(name)(event.target.checked)}
      />
    );
  return (
    <TextInput
      {...said}
      {...keyboardOf(name)}
      autoComplete="off"
      error={error(name)}
      value={typed(name) as string}
      readOnly={busy}
      onChange={(event) => set(name)(event.target.value)}
    />
  );
}

/** Choice between the operator's figures and measured ones (product R29). */
function StatsChoice({ t, words, typed, set, busy }: SettingFieldProps) {
  const measured = typed('statsMeasured') === true;
  const choice = (value: boolean, label: string) => (
    <label className="settings__choice">
      <input
        type="radio"
        name="statsMeasured"
        checked={measured === value}
        disabled={busy}
        onChange={() => set('statsMeasured')(value)}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className="settings__choices">
      <legend className="field__label">{words.fields.statsMeasured.label}</legend>
      {choice(false, t('stats.fixed'))}
      {choice(true, t('stats.measured'))}
      <Note tone={measured ? 'info' : 'wait'}>
        {measured ? t('stats.measuredHint') : t('stats.fixedWarning')}
      </Note>
    </fieldset>
  );
}
