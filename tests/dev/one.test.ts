import { describe, expect, test } from 'vitest';
import { choose } from '../support/choose.ts';

const files = [
  'tests/locales.test.ts',
  'tests/verbs/products/approve.test.ts',
  'tests/verbs/contact/request.test.ts',
  'tests/browser/live.test.ts',
  'tests/http/live.test.ts',
];

describe('one test file by one command', () => {
  test.each([
    [['tests/verbs/products/approve.test.ts'], ['unit']],
    [['./tests/verbs/products/approve.test.ts', '-t', 'live'], ['unit']],
    [['/home/someone/marche54/tests/verbs/products/approve.test.ts'], ['unit']],
    [['contact'], ['unit']],
    [['tests/browser/live.test.ts'], ['browser']],
    [['live'], ['unit', 'browser']],
    [['-t', 'live', 'tests/http'], ['unit']],
  ])('%j needs %j: only browser tests wait for a build', (words, projects) => {
    expect(choose('run', words, files)).toEqual({ projects });
  });

  test('says what is wrong with a word that fits no file, and with none', () => {
    expect(choose('run', ['aprove'], files)).toEqual({
      problem: expect.stringContaining('“aprove”'),
    });
    expect(choose('run', ['-t', 'approve'], files)).toEqual({
      problem: expect.stringContaining('Name a test file'),
    });
  });

  test('watches without a name what needs no browser', () => {
    expect(choose('watch', [], files)).toEqual({ projects: ['unit'] });
  });
});
