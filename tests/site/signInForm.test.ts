import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import SignInForm, { type SignInFormProps } from '../../site/src/features/accounts/SignInForm.tsx';
import { signInPageFor } from '../../site/src/features/accounts/signInPages.ts';
import { memberSignInWords, sellerSignInWords } from '../../site/src/features/accounts/words.ts';

/** Sign-in forms of sellers and members. */
const drawn = (given: Partial<SignInFormProps>) =>
  renderToStaticMarkup(
    createElement(SignInForm, {
      language: 'en',
      mode: 'sign-in',
      next: '/account',
      links: {
        auth: '/sign-in',
        other: '/seller/auth',
        forgot: '/forgot-password',
        verification: '/email-verification',
      },
      words: memberSignInWords('en'),
      validation: dictionaries.en.validation,
      ...given,
    }),
  );
const google = {
  href: '/api/auth/google?next=%2Faccount',
  label: 'Continue with Google',
  or: 'or',
};

describe('another way in', () => {
  test.each(['sign-in', 'sign-up'] as const)(
    'is a link above the fields, with a divider under it: %s',
    (mode) => {
      for (const words of [memberSignInWords('en'), sellerSignInWords('en')]) {
        const html = drawn({ mode, google, words });
        expect(html).toMatch(
          /<a href="\/api\/auth\/google\?next=%2Faccount" class="button button--wide">.*Continue with Google.*<\/a><p[^>]*>or<\/p>/,
        );
        expect(html.indexOf('Continue with Google')).toBeLessThan(html.indexOf('<input'));
      }
    },
  );

  test('is nowhere unless it is given', () => expect(drawn({})).not.toMatch(/Google|account__or/));
});

test('a remark of the page may be bad news', () =>
  expect(drawn({ note: { tone: 'bad', text: 'Google did not answer.' } })).toMatch(
    /note--bad.*Google did not answer\./,
  ));

test.each([...languages])(
  'a member is asked for no number and no place, and is never called a seller, in %s',
  (language) => {
    const html = drawn({ mode: 'sign-up', language, words: memberSignInWords(language) });
    for (const name of ['whatsapp', 'location']) expect(html).not.toContain(`name="${name}"`);
    const { other, otherAsk } = dictionaries[language].members.auth;
    expect(html).toContain(`${otherAsk} <a href="/seller/auth?mode=sign-up">${other}</a>`);
    expect(html.replace(other, '').replaceAll('/seller/auth', '')).not.toMatch(/seller|vendeu/i);
    expect(drawn({ mode: 'sign-up', language, words: sellerSignInWords(language) })).toContain(
      'name="whatsapp"',
    );
  },
);

test('the tools have the sellers’ door, every other page the members’', () => {
  const at = (next?: string) =>
    signInPageFor({ language: 'fr', prefixed: true } as App.Locals, next);
  expect(at()).toBe('/fr/seller/auth');
  for (const next of [
    '/seller/upload',
    '/fr/seller',
    '/en/seller/dashboard?page=2',
    '/fr/admin/queue',
  ])
    expect(at(next)).toBe(`/fr/seller/auth?next=${encodeURIComponent(next)}`);
  for (const next of [
    '/',
    '/fr',
    '/account',
    '/fr/shop/seller',
    '/sellers',
    '/connect?from=/seller/',
  ])
    expect(at(next)).toBe(`/fr/sign-in?next=${encodeURIComponent(next)}`);
});
