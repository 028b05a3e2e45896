import { describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { datedPage, keptKey, missingPage, titleOf } from '../../site/src/offline/pages.ts';

/** Pages that the worker shows without a network (docs/offline.md). */
describe('a kept page', () => {
  test.each([
    ['/', 'fr', '/fr'],
    ['/fr', 'fr', '/fr'],
    ['/fr/', 'fr', '/fr'],
    ['/shop/12/radio', 'en', '/en/shop/12/radio'],
    ['/en/shop/12', 'en', '/en/shop/12'],
    ['/shops/fresh', 'fr', '/fr/shops/fresh'],
    ['/frames', 'fr', '/fr/frames'],
  ])('of %s in %s has the key %s', (path, language, key) => {
    expect(keptKey(path, language)).toBe(key);
  });

  test.each(languages)('has its age at the top, and is nobody’s, in %s', (language) => {
    const html =
      '<!doctype html><html lang="en" data-theme="dark" data-signed><head></head><body class="x"><p>data-signed</p></body></html>';
    const shown = datedPage(
      html,
      '2026-11-28T13:05:00Z',
      dictionaries[language].offline.at,
      language,
    );
    expect(shown).toMatch(/<html lang="en" data-theme="dark"><head>/);
    expect(shown).toMatch(
      /<body class="x"><p class="demo" role="status">[^<]*28 [nN]ov[^<]* 14:05/,
    );
    expect(shown).toContain('<p>data-signed</p>');
  });
});

test('a page that is not kept leads to those that are, and writes nothing as markup', () => {
  const words = dictionaries.en.offline;
  const page = missingPage(
    [
      { address: '/en', title: titleOf('<title>Marché 54</title>') },
      { address: '/en/shop/1/"><script>', title: titleOf('<title>A &amp; B</title>') },
      { address: '/en/odd', title: titleOf('no title') },
    ],
    words,
    'en',
  );
  expect(page).toContain('<a href="/en">Marché 54</a>');
  expect(page).toContain('A &amp; B');
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('/en/odd');
  expect(missingPage([], words, 'en')).not.toContain(words.kept);
});
