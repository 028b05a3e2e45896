import type { InferResponseType } from 'hono/client';
import { type SettingName, settingSchemas } from '../../../../api/settings/schema.ts';
import type { Colours } from '../../../../api/shared/brand/colours.ts';
import { inEveryLanguage, type Language } from '../../../../locales/languages.ts';
import type { OwnWords } from '../../../../locales/ownWords.ts';
import type { ApiClient } from '../../lib/api.ts';
import { type FieldErrors, judge } from '../../lib/form.ts';
import type { AdminScreen } from '../admin/screen.ts';
import type { SettingWords } from './words.ts';

export type Shown = InferResponseType<
  ApiClient['admin']['settings']['$get'],
  200
>['settings'][number];
export type SettingsScreen = AdminScreen<SettingWords>;

/** Recipient per payment method. */
export type Payees = Record<
  'mtn_momo' | 'orange_money' | 'cash',
  { number: string; payee: string }
>;
/** The operator's own sentences. */
export type Words = Partial<Record<Language, OwnWords>>;
/** Sentences with changes to them. */
export const withWords = (words: Words | undefined, changes: Words | undefined): Words =>
  inEveryLanguage((language) => ({ ...words?.[language], ...changes?.[language] }));
/** Value of a field: numbers are kept as typed. */
export type Typed = string | boolean | Payees | Colours | Words;

/** Converts a stored value to its field's. */
export function typedOf(value: unknown): Typed {
  return typeof value === 'number' ? String(value) : (value as Typed);
}

/** Converts a field's value for the API: an empty number is undefined. */
export function readTyped(name: SettingName, typed: Typed): unknown {
  if (typeof typed !== 'string') return typed;
  if (typeof settingSchemas[name].initial === 'number')
    return typed.trim() === '' ? undefined : Number(typed.replaceAll(/\s/g, '').replace(',', '.'));
  return typed.trim();
}

/**
 * Validates a field with the API's schema. Errors are by path: `contactPerHour`,
 * `payees.cash.number`.
 */
export function judgeSetting(
  name: SettingName,
  typed: Typed,
  language: Language,
  words: SettingWords,
): { value: unknown; errors: FieldErrors } {
  const value = readTyped(name, typed);
  const judged = judge(settingSchemas[name].schema, value, language, words.validation);
  return judged.ok
    ? { value: judged.value, errors: {} }
    : { value, errors: prefixed(name, judged.errors) };
}

/** Prefixes errors with the setting's name, in place of the API's `value`. */
export function prefixed(name: SettingName, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, sentence]) => {
      const rest = path.replace(/^value(\.|$)/, '');
      return [rest ? `${name}.${rest}` : name, sentence];
    }),
  );
}
