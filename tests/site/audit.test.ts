import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionSentences } from '../../site/src/features/audit/actions.ts';
import { changes } from '../../site/src/features/audit/changes.ts';

describe('the changes of an audit line', () => {
  test('are the fields that differ, with before and after', () => {
    expect(changes({ suspended: false, name: 'A' }, { suspended: true, name: 'A', reason: 'Fake' })).toEqual([
      { field: 'suspended', before: 'false', after: 'true' },
      { field: 'reason', before: null, after: 'Fake' },
    ]);
  });

  test('are one row for a value that is no object, and none for nothing', () => {
    expect(changes(3, 7)).toEqual([{ field: '', before: '3', after: '7' }]);
    expect(changes(null, false)).toEqual([{ field: '', before: null, after: 'false' }]);
    expect(changes(null, null)).toEqual([]);
    expect(changes(['a'], ['b'])).toEqual([{ field: '', before: '["a"]', after: '["b"]' }]);
  });

  test('show what is inside another object as it is written', () => {
    expect(changes({ payee: { number: '1' } }, { payee: { number: '2' } })).toEqual([{ field: 'payee', before: '{"number":"1"}', after: '{"number":"2"}' }]);
  });
});

test('every action that the API writes to the log has a sentence', () => {
  const api = new URL('../../api/', import.meta.url).pathname;
  const files = readdirSync(api, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const source = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
  const written = [...new Set([...source.matchAll(/\baction: '(\w+\.\w+)'/g)].map(([, action]) => action as string))];
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter((action) => !(action in actionSentences))).toEqual([]);
});
