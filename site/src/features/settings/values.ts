import type { InferResponseType } from 'hono/client';
import { isPhone, toE164 } from '../../../../api/core/fields.ts';
import { type SettingName, settingSchemas } from '../../../../api/settings/schema.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { ApiClient } from '../../lib/api.ts';
import { type FieldErrors, judge } from '../../lib/form.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { SettingWords } from './words.ts';

export type Shown = InferResponseType<
  ApiClient['admin']['settings']['$get'],
  200
>['settings'][number];
export type SettingsScreen = AdminScreen<SettingWords>;

/** Whom to pay, per method. */
export type Payees = Record<
  'mtn_momo' | 'orange_money' | 'cash',
  { number: string; payee: string }
>;
/** What a form holds of a setting: numbers as they are typed. */
export type Typed = string | boolean | Payees;

/** A stored value as its field holds it. */
export function typedOf(value: unknown): Typed {
  return typeof value === 'number' ? String(value) : (value as Typed);
}

/** What is typed as the value that the API takes: a number field left empty is nothing, a local number gets its country code (product R23). */
export function readTyped(name: SettingName, typed: Typed): unknown {
  if (typeof typed !== 'string') return typed;
  if (typeof settingSchemas[name].initial === 'number')
    return typed.trim() === '' ? undefined : Number(typed.replaceAll(/\s/g, '').replace(',', '.'));
  if (name !== 'contactNumber') return typed.trim();
  return isPhone(typed) ? toE164(typed) : typed.replaceAll(/\s/g, '');
}

/** Judges what is typed with the schema that the API uses; wrong fields by `contactPerHour`, `payees.cash.number`. */
export function judgeSetting(
  name: SettingName,
  typed: Typed,
  language: Language,
  words: SettingWords,
): { value: unknown; errors: FieldErrors } {
  const value = readTyped(name, typed);
  const judged = judge(settingSchemas[name].schema, value, language, words.validation);
  return { value, errors: judged.ok ? {} : prefixed(name, judged.errors) };
}

/** Errors of one setting under its name, with or without the `value` that the API puts ahead of them. */
export function prefixed(name: SettingName, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, sentence]) => {
      const rest = path.replace(/^value(\.|$)/, '');
      return [rest ? `${name}.${rest}` : name, sentence];
    }),
  );
}
