import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './support/repository.ts';

type Source = { file: string; text: string };
const sources: Source[] = repositoryFiles
  .filter((file) => /^(?:api\/.*|db\/(?:[^/]+|schema\/[^/]+))\.ts$/.test(file))
  .map((file) => ({ file, text: textOf(file) }));

/** Arrays and unions of string literals; in tables also the values of SQL's `in`. */
const everywhere = [
  /\[\s*'[^'\n]*'(?:\s*,\s*'[^'\n]*')*(?:\s*,)?\s*\]/g,
  /'[^'\n]*'(?:\s*\|\s*'[^'\n]*')+/g,
];
const inTables = /\bin \(('[^'\n]*'(?:, *'[^'\n]*')*)\)/g;

/** Lists of at least three words, each with the places that write it, in any order of its words. */
function repeated(all: readonly Source[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const { file, text } of all) {
    const isTable = file.startsWith('db/schema/');
    for (const form of isTable ? [...everywhere, inTables] : everywhere)
      for (const { 0: list, index } of text.matchAll(form)) {
        const before = text.slice(0, index);
        const words = [...list.matchAll(/'([^']*)'/g)].map(([, word]) => word);
        // Keys of a picked type are no vocabulary.
        if (words.length < 3 || /\b(?:Pick|Omit)<[^<>]*$/.test(before)) continue;
        const key = words.sort().join(', ');
        // In other files one list may recur by chance, such as the placeholders of two messages.
        const place = isTable ? `${file}:${before.split('\n').length}` : file;
        places.set(key, (places.get(key) ?? new Set()).add(place));
      }
  }
  return [...places]
    .filter(([, at]) => at.size > 1)
    .map(([words, at]) => `${words}: ${[...at].sort().join(' ')}`);
}

test('tables and API write each list of words once', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(repeated(sources)).toEqual([]);
});

test('repeated arrays, enums, unions and SQL lists are found in any order', () => {
  const api = (text: string) => ({ file: 'api/payments/schema.ts', text });
  const table = (text: string) => ({ file: 'db/schema/credits.ts', text });
  const states = table("const states = ['open', 'paid', 'closed'] as const;");
  for (const copy of [
    api("const states = [\n  'closed',\n  'open',\n  'paid',\n] as const;"),
    api("z.enum(['paid', 'open', 'closed'])"),
    api("type State =\n  | 'open'\n  | 'paid'\n  | 'closed';"),
    table("\ntext('state', { enum: ['open', 'paid', 'closed'] })"),
    table("\nsql`status in ('open', 'paid', 'closed')`"),
  ])
    expect(repeated([states, copy]), copy.text).toHaveLength(1);
  for (const other of [
    api("z.enum(['open', 'paid'])"),
    api("z.enum(['open', 'paid', 'lost'])"),
    api("type Part = Pick<Row, 'open' | 'paid' | 'closed'>;"),
  ])
    expect(repeated([states, other]), other.text).toEqual([]);
});
