import { describe, expect, test } from 'vitest';
import { csvOf } from '../../api/account/export/files.ts';
import type { Entry } from '../../api/credits/chain.ts';
import { statementCsv } from '../../api/credits/present.ts';
import { presentCsv } from '../../api/engagement/present.ts';
import { writeCsv } from '../../api/shared/csv.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';

/** No export runs a formula, wherever a spreadsheet splits it (decision 060). */
const nasty = [
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(1)',
  '|calc',
  '\t=1',
  '\r=1',
  ' =1',
  '   +1',
  "x;=cmd|' /C calc'!A0",
  'x; =1',
  'x;"=1"',
  'x;;@SUM(1)',
  'x\t-1',
  'x\n=1',
  'x\r\n+1',
  '"=1"',
  '";=1',
  ';=1;=2;=3',
  '=HYPERLINK("http://evil.example","x")',
  '＝1',
  `x;${' '.repeat(50)}=1`,
];

const none = { referenceType: null, referenceId: null, undoes: null, purchaseId: null };
const entry = {
  ...none,
  id: 'x',
  member: 1,
  serial: 1,
  kind: 'correction',
  amount: 1,
  balance: 1,
  at: new Date(0),
  previous: '',
  hash: 'a',
};
const exports: Record<string, (cell: string, language: Language) => string> = {
  'the analytics of the admins': (name, language) =>
    presentCsv(
      [
        {
          day: '2026-11-23',
          slotId: 1,
          name: { en: name, fr: name },
          views: 1,
          clicks: 0,
          messageTaps: 0,
          shares: 0,
        } as never,
      ],
      language,
    ),
  'a member’s statement': (reason, language) =>
    statementCsv([{ ...entry, reason } as unknown as Entry], language),
  'the tables of one’s own data': (name, language) =>
    csvOf(
      { columns: ['name', 'text', 'json'] },
      [{ name, text: `a ${name}`, json: { name } }],
      language,
    ),
};

/** Cells as read by a spreadsheet that splits at `comma` and respects quotes. */
function cellsOf(csv: string, comma = ','): string[] {
  const cells = comma === ';' ? /"((?:[^"]|"")*)"|[^;\r\n]+/g : /"((?:[^"]|"")*)"|[^,\r\n]+/g;
  return [...csv.slice(1).matchAll(cells)].map(
    ([cell, quoted]) => quoted?.replaceAll('""', '"') ?? cell,
  );
}
const begins = (cell: string): boolean =>
  /^[=+\-@|＝＋－＠]/.test(cell.replace(/^[\s"]+/, '')) && !/^-?\d+$/.test(cell);

describe.each(Object.entries(exports))('%s', (_, write) => {
  test.each(nasty)('make no formula of %j', (cell) => {
    for (const language of languages) {
      const csv = write(cell, language);
      const split = csv.slice(1).split(/[;\t\r\n]/);
      expect([...cellsOf(csv), ...cellsOf(csv, ';'), ...split].filter(begins)).toEqual([]);
    }
  });

  test('leave what is no formula as it is', () => {
    for (const plain of ['a-b', 'Drum, "large"', '10 = ten; a@b.cm', 'l’été', 'x;y', 'a\nb'])
      for (const [language, comma] of [
        ['en', ','],
        ['fr', ';'],
      ] as const)
        expect(cellsOf(write(plain, language), comma), language).toContain(plain);
  });
});

test('numbers stay numbers, and nothing stays empty', () => {
  const row = [[-5, null, 'a-b', 'line\nbreak']];
  expect(writeCsv(row, 'en')).toBe('\uFEFF-5,,a-b,"line\nbreak"\r\n');
});

test('a French spreadsheet splits at semicolons', () => {
  expect(writeCsv([['a', 1, 'x;y', 'x,y']], 'fr')).toBe('\uFEFFa;1;"x;y";"x,y"\r\n');
});

test('a text gets an apostrophe ahead of each sign, and nothing else', () => {
  expect(writeCsv([['x;=1; -2']], 'en')).toBe('\uFEFF"x;\'=1; \'-2"\r\n');
  for (const cell of nasty)
    expect(
      cellsOf(writeCsv([[cell]], 'en'))
        .join('')
        .replaceAll("'", ''),
      cell,
    ).toBe(cell.replaceAll("'", ''));
});

test('every export is written by one function', () => {
  const makers = repositoryFiles.filter(
    (file) =>
      /^(?:api|bot|jobs|site\/src)\/.*\.(?:ts|tsx|astro)$/.test(file) &&
      /\bwriteCsv\(|text\/csv/.test(textOf(file)),
  );
  expect(makers).toEqual([
    'api/account/export/files.ts',
    'api/credits/present.ts',
    'api/credits/routes.ts',
    'api/engagement/present.ts',
    'api/engagement/routes.ts',
    'api/payments/adminRoutes.ts',
    'api/payments/journal.ts',
    'api/shared/csv.ts',
  ]);
});
