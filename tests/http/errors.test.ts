import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { presentRefusal, Refusal } from '../../api/shared/errors.ts';
import { problemsOf } from '../../api/shared/issues.ts';
import { dictionaries } from '../../locales/index.ts';
import { judge } from '../../site/src/lib/form.ts';

const leaves = (node: object, path = ''): string[] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${path}${key}`] : leaves(value as object, `${path}${key}.`),
  );
const codes = [
  ...new Set(
    leaves(dictionaries.en.errors).map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '')),
  ),
];
const asked = [...JSON.stringify(dictionaries.en.errors).matchAll(/\{\{(\w+)\}\}/g)].map(
  ([, name]) => name as string,
);
/** A refusal with every parameter that its message may need. */
const make = (code: string) =>
  new Refusal(code as never, {
    ...Object.fromEntries(asked.map((name) => [name, `[${name}]`])),
    count: 3,
  });

describe('every error code', () => {
  for (const code of codes.filter((name) => !name.startsWith('health.'))) {
    test(`${code} has a whole sentence in both languages`, () => {
      const refusal = make(code);
      const [en, fr] = (['en', 'fr'] as const).map(
        (language) => presentRefusal(refusal, language, 'r-1').error.message,
      );
      for (const sentence of [en, fr]) expect(sentence).not.toMatch(/\{\{|undefined/);
      expect(fr).not.toBe(en);
    });
  }
});

describe('a refusal in JSON', () => {
  test('has code, sentence and reference, and fields only when there are any', () => {
    expect(presentRefusal(new Refusal('forbidden'), 'en', 'r-1')).toEqual({
      error: {
        code: 'forbidden',
        message: 'Your account is not allowed to do this. Nothing was changed.',
        requestId: 'r-1',
      },
    });
    const fields = [{ path: 'price', code: 'tooSmall' as const, params: { min: 100 } }];
    expect(presentRefusal(new Refusal('validation', {}, fields), 'fr', 'r-1').error.fields).toEqual(
      [{ path: 'price', code: 'tooSmall', message: 'Doit être d’au moins 100' }],
    );
  });
});

describe('a schema’s complaint becomes a sentence', () => {
  const one = (issue: Record<string, unknown>) =>
    problemsOf([{ message: 'Invalid input', path: ['field'], ...issue }])[0]?.code;
  const cases: [Record<string, unknown>, string][] = [
    [{ code: 'invalid_type', input: undefined }, 'required'],
    [{ code: 'invalid_type', input: null }, 'required'],
    [{ code: 'invalid_type', input: '' }, 'required'],
    [{ code: 'invalid_type', input: 'abc', expected: 'number' }, 'invalid'],
    [{ code: 'invalid_type', input: 1.5, expected: 'int' }, 'whole'],
    [{ code: 'too_small', origin: 'string', minimum: 1 }, 'required'],
    [{ code: 'too_small', origin: 'string', minimum: 3 }, 'tooShort'],
    [{ code: 'too_small', origin: 'number', minimum: 100 }, 'tooSmall'],
    [{ code: 'too_small', origin: 'number', minimum: 1 }, 'tooSmall'],
    [{ code: 'too_big', origin: 'string', maximum: 200 }, 'tooLong'],
    [{ code: 'too_big', origin: 'number', maximum: 5 }, 'tooBig'],
    [{ code: 'invalid_value', input: undefined }, 'required'],
    [{ code: 'invalid_value', input: 'x' }, 'oneOf'],
    [{ code: 'invalid_format', format: 'email' }, 'email'],
    [{ code: 'invalid_format', format: 'url' }, 'url'],
    [{ code: 'invalid_format', format: 'uuid' }, 'invalid'],
    [{ code: 'custom', message: 'phone' }, 'phone'],
    [{ code: 'custom' }, 'invalid'],
    [{ code: 'something_new' }, 'invalid'],
    [{}, 'invalid'],
  ];
  for (const [issue, code] of cases)
    test(`${JSON.stringify(issue)} → ${code}`, () => expect(one(issue)).toBe(code));

  test('of an address too, which no field takes yet (decision 035)', () => {
    const judged = judge(
      z.strictObject({ page: z.url() }),
      { page: 'not an address' },
      'en',
      dictionaries.en.validation,
    );
    expect(judged).toEqual({ ok: false, errors: { page: 'Please enter a valid URL' } });
  });

  test('one for each field, the first that helps', () => {
    const issues = [
      { code: 'too_small', origin: 'string', minimum: 1, message: '', path: ['a'] },
      { code: 'too_small', origin: 'string', minimum: 3, message: '', path: ['a'] },
      { code: 'unrecognized_keys', message: '', path: ['b'], keys: ['x', 'y'] },
    ];
    expect(problemsOf(issues).map(({ path, code, params }) => [path, code, params])).toEqual([
      ['a', 'required', undefined],
      ['b.x', 'unknownField', { name: 'x' }],
      ['b.y', 'unknownField', { name: 'y' }],
    ]);
  });

  test('never a word of the schema library’s own', () => {
    expect(
      problemsOf(
        [{ code: 'custom', message: 'Expected string, received number', path: [] }],
        (key) => key in dictionaries.en.validation,
      )[0]?.code,
    ).toBe('invalid');
    expect(
      problemsOf([{ code: 'custom', message: 'constructor', path: [] }], (key) =>
        Object.hasOwn(dictionaries.en.validation, key),
      )[0]?.code,
    ).toBe('invalid');
  });
});
