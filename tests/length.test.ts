import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './support/repository.ts';

const code = repositoryFiles.filter((file) => /\.(ts|tsx|astro|css)$/.test(file));
const isTest = (file: string): boolean => file.endsWith('.test.ts');
const longerThan = (most: number, files: readonly string[]): string[] =>
  files.filter((file) => textOf(file).split('\n').length - 1 > most);

test('no file of code is longer than 400 lines, and no test longer than 520', () => {
  expect(code.length).toBeGreaterThan(500);
  expect(
    longerThan(
      400,
      code.filter((file) => !isTest(file)),
    ),
  ).toEqual([]);
  expect(longerThan(520, code.filter(isTest))).toEqual([]);
});
