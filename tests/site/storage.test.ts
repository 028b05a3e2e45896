import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { describe, expect, test } from 'vitest';
import { makeStorage, readJson } from '../../site/src/lib/storage.ts';

function fakeStorage(limit = Number.POSITIVE_INFINITY): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError');
      values.set(key, value);
    },
  };
}

describe('storage', () => {
  test('keeps values where there is local storage', () => {
    const native = fakeStorage();
    const storage = makeStorage(() => native);
    storage.set('draft', 'Blender');
    expect(native.getItem('draft')).toBe('Blender');
    expect(storage.get('draft')).toBe('Blender');
    expect(storage.lasting()).toBe(true);
    storage.remove('draft');
    expect(storage.get('draft')).toBeNull();
  });

  test('keeps them in memory where there is none', () => {
    const storage = makeStorage(() => undefined);
    storage.set('draft', 'Blender');
    expect(storage.get('draft')).toBe('Blender');
    expect(storage.lasting()).toBe(false);
    storage.remove('draft');
    expect(storage.get('draft')).toBeNull();
  });

  test('keeps them in memory where asking for it throws', () => {
    const storage = makeStorage(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    storage.set('draft', 'Blender');
    expect(storage.get('draft')).toBe('Blender');
  });

  test('keeps in memory what no longer fits, and reads that rather than the older value', () => {
    const native = fakeStorage(5);
    const storage = makeStorage(() => native);
    storage.set('draft', 'short');
    storage.set('draft', 'much too long');
    expect(storage.get('draft')).toBe('much too long');
    storage.set('draft', 'fits');
    expect(storage.get('draft')).toBe('fits');
    expect(native.getItem('draft')).toBe('fits');
  });

  test('reads JSON only in the shape that was asked for', () => {
    const storage = makeStorage(() => fakeStorage());
    const native = makeStorage(() => undefined);
    const isText = (value: unknown): value is string => typeof value === 'string';
    native.set('a', '"yes"');
    native.set('b', '{');
    native.set('c', '7');
    expect(readJson(native, 'a', isText)).toBe('yes');
    expect(readJson(native, 'b', isText)).toBeNull();
    expect(readJson(native, 'c', isText)).toBeNull();
    expect(readJson(storage, 'none', isText)).toBeNull();
  });

  test('is the only way to what a browser keeps', () => {
    const root = new URL('../../site/src/', import.meta.url).pathname;
    const direct = [...new Glob('**/*.{ts,tsx,astro}').scanSync(root)].filter((file) =>
      /\b(?:local|session)Storage\b/.test(readFileSync(root + file, 'utf8')),
    );
    expect(direct.sort()).toEqual(['lib/storage.ts']);
  });
});
