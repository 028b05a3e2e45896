import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientTranslator } from '../../locales/client.ts';
import type { Language } from '../../locales/languages.ts';
import { actionSentences } from '../../site/src/features/audit/actions.ts';
import {
  changes,
  fieldLabel,
  type Reading,
  valueText,
} from '../../site/src/features/audit/changes.ts';
import { auditWords } from '../../site/src/features/audit/words.ts';
import { plain } from '../support/text.ts';

describe('the changes of an audit line', () => {
  test('are the fields that differ, with before and after', () => {
    expect(
      changes({ suspended: false, name: 'A' }, { suspended: true, name: 'A', reason: 'Fake' }),
    ).toEqual([
      { field: 'suspended', before: false, after: true },
      { field: 'reason', before: null, after: 'Fake' },
    ]);
  });

  test('are one row for a value that is no object, and none for nothing', () => {
    expect(changes(3, 7)).toEqual([{ field: '', before: 3, after: 7 }]);
    expect(changes(null, false)).toEqual([{ field: '', before: null, after: false }]);
    expect(changes(null, null)).toEqual([]);
    expect(changes(['a'], ['b'])).toEqual([{ field: '', before: ['a'], after: ['b'] }]);
  });

  test('are a row for each field inside another object, and one for a text in both languages', () => {
    expect(
      changes({ cash: { number: '1', payee: 'A' } }, { cash: { number: '2', payee: 'A' } }),
    ).toEqual([{ field: 'cash.number', before: '1', after: '2' }]);
    expect(changes({ name: { en: 'A' } }, { name: { en: 'A', fr: 'B' } })).toEqual([
      { field: 'name', before: { en: 'A' }, after: { en: 'A', fr: 'B' } },
    ]);
  });
});

describe('an audit line speaks in words', () => {
  const id = '3f9c1d2e-0000-4000-8000-000000000000';
  const reading = (language: Language): Reading => {
    const words = auditWords(language);
    return {
      t: clientTranslator(language, words),
      words,
      language,
      names: { [id]: 'Samsung Galaxy A14' },
    };
  };

  test('of fields and of values, in both languages', () => {
    const said = (language: Language, field: string, value: unknown) =>
      `${fieldLabel(field, reading(language))} = ${plain(valueText(field, value, reading(language)) ?? '')}`;
    expect(said('en', 'productId', id)).toBe('Product = Samsung Galaxy A14');
    expect(said('en', 'passed', '4f9c1d2e-0000-4000-8000-000000000000')).toBe(
      'Passed = 4f9c1d2e-0000-4000-8000-000000000000',
    );
    expect(said('en', 'pausedSlots', [3, 12])).toBe('Paused slots = Slot #03, Slot #12');
    expect(said('fr', 'slotId', 3)).toBe('Emplacement = Emplacement #03');
    expect(said('fr', 'product.price', 65_000)).toBe('Prix = 65 000 XAF');
    expect(said('en', 'remainingSeconds', 172_800)).toBe('Time left = 2 days');
    expect(said('fr', 'queueName', 'queue:featured')).toBe('File = File premium');
    expect(said('en', 'missing_fields', ['price', 'payment_method'])).toBe(
      'Missing fields = Price, Payment method',
    );
    expect(said('fr', 'feeState', 'waived')).toBe(`Frais = ${auditWords('fr').states.waived}`);
    expect(said('en', 'cash.payee', 'Awa')).toBe('Cash: Payee = Awa');
    expect(said('en', 'endTime', '2026-11-22T12:00:00.000Z')).toMatch(
      /^End = .*13:00|^End = .*1:00/,
    );
    expect(said('en', 'verified', true)).toBe('Verified = Yes');
    expect(said('en', 'name', { en: 'Drum', fr: 'Tambour' })).toBe('Name = Drum / Tambour');
  });

  test('and nothing that was never written is a word', () => {
    expect(valueText('reason', null, reading('en'))).toBeNull();
    expect(fieldLabel('somethingNew', reading('en'))).toBe('somethingNew');
  });
});

test('every action that the API writes to the log has a sentence', () => {
  const api = new URL('../../api/', import.meta.url).pathname;
  const files = readdirSync(api, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts'),
  );
  const source = files
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const written = [
    ...new Set(
      [...source.matchAll(/\baction: '(\w+\.\w+)'/g)].map(([, action]) => action as string),
    ),
  ];
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter((action) => !(action in actionSentences))).toEqual([]);
});
