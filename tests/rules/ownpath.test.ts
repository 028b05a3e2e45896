import { describe, expect, test } from 'vitest';
import { wantedPath } from '../../api/auth/schema.ts';
import { isOwnPath, ownPath, resolvedPath } from '../../api/shared/ownPath.ts';
import { linker, unprefixed } from '../../site/src/lib/paths.ts';
import { nastyPaths } from '../support/nastyPaths.ts';

const origin = 'https://market.test';

describe('a path to go on to', () => {
  test('is none of those that lead away', () => {
    expect(nastyPaths.length).toBeGreaterThan(60);
    expect(nastyPaths.filter(isOwnPath)).toEqual([]);
    expect(nastyPaths.filter((path) => wantedPath.safeParse(path).success)).toEqual([]);
    expect(new Set(nastyPaths.map((path) => ownPath(path, '/home')))).toEqual(new Set(['/home']));
  });

  test.each([
    ['/shop/../connect', '/connect'],
    ['/./a/./b', '/a/b'],
    ['/a/%2e%2e/b?x=1#y', '/b?x=1#y'],
    ['/..', '/'],
    ['/a"b', '/a%22b'],
    ['/a//b', '/a//b'],
    ['/en?x=https://other.example/%2f', '/en?x=https://other.example/%2f'],
    ['/sign-in?next=%2F..%2F%2Fevil.example', '/sign-in?next=%2F..%2F%2Fevil.example'],
    ['/connect?search=50%25', '/connect?search=50%25'],
    ['/shop/7#//evil.example', '/shop/7#//evil.example'],
  ])('is used as it resolves: %s', (path, resolved) => {
    expect(resolvedPath(path)).toBe(resolved);
    expect(wantedPath.parse(path)).toBe(resolved);
    expect(new URL(resolved, origin).href).toBe(new URL(path, origin).href);
  });

  test('stays on the site behind every language, without one, and when it is judged again', () => {
    const pieces = [
      '/',
      '..',
      '.',
      '%2e',
      '\\',
      '\t',
      'en',
      'fr',
      'a',
      '@',
      ':',
      '#',
      '?',
      '%2f',
      '%5c',
      'evil.example',
    ];
    let accepted = 0;
    let seed = 54;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % pieces.length;
    };
    for (let times = 0; times < 20_000; times++) {
      const path = `/${Array.from({ length: 1 + (times % 7) }, () => pieces[next()]).join('')}`;
      const resolved = resolvedPath(path);
      if (resolved === undefined) continue;
      accepted++;
      for (const to of [
        resolved,
        unprefixed(resolved).path,
        ...[true, false].map((prefixed) => linker({ language: 'fr', prefixed })(resolved)),
      ])
        expect(
          [new URL(to, origin).origin, /^\/[/\\]/.test(new URL(to, origin).pathname)],
          `${path} as ${to}`,
        ).toEqual([origin, false]);
      expect(resolvedPath(resolved), path).toBe(resolved);
    }
    expect(accepted).toBeGreaterThan(1000);
  });
});
