import { describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import {
  judgeSetting,
  prefixed,
  readTyped,
  typedOf,
} from '../../site/src/features/settings/values.ts';
import { settingWords } from '../../site/src/features/settings/words.ts';

const judged = (...[name, typed]: Parameters<typeof readTyped>) =>
  judgeSetting(name, typed, 'en', settingWords('en'));
const say = dictionaries.en.validation;

describe('a setting as it is typed', () => {
  test('is a number when it is one, and nothing when it is empty', () => {
    expect(readTyped('contactPerDay', ' 1 000 ')).toBe(1000);
    expect(readTyped('contactPerDay', ' ')).toBeUndefined();
    expect(judged('contactPerDay', '')).toMatchObject({ errors: { contactPerDay: say.required } });
    expect(judged('contactPerDay', '2,5').errors).toEqual({ contactPerDay: say.whole });
    expect(judged('contactPerDay', 'many').errors).toEqual({ contactPerDay: say.invalid });
    expect(judged('contactPerDay', '0').errors).toEqual({ contactPerDay: 'Must be at least 1' });
    expect(typedOf(30)).toBe('30');
  });

  test('is a number of Cameroon with its code, a foreign one as it is, or nothing', () => {
    expect(judged('contactNumber', '6 99 00 12 34')).toEqual({
      value: '+237699001234',
      errors: {},
    });
    expect(judged('contactNumber', '+33 6 12 34 56 78')).toEqual({
      value: '+33612345678',
      errors: {},
    });
    expect(judged('contactNumber', ' ')).toEqual({ value: '', errors: {} });
    expect(judged('contactNumber', '12').errors).toEqual({ contactNumber: say.phone });
  });

  test('names the wrong field of whom to pay, on the page as from the API', () => {
    const nobody = { number: '', payee: '' };
    const wrong = {
      mtn_momo: nobody,
      orange_money: nobody,
      cash: { number: 'x'.repeat(41), payee: '' },
    };
    expect(Object.keys(judged('payees', wrong).errors)).toEqual(['payees.cash.number']);
    expect(prefixed('payees', { 'value.cash.number': 'no' })).toEqual({
      'payees.cash.number': 'no',
    });
    expect(prefixed('contactPerDay', { value: 'no' })).toEqual({ contactPerDay: 'no' });
  });
});
