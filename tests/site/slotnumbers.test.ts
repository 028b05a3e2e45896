import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { clientTranslator } from '../../locales/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { Top } from '../../site/src/features/analytics/Top.tsx';
import { analyticsWords } from '../../site/src/features/analytics/words.ts';
import { AuditEntry } from '../../site/src/features/audit/AuditEntry.tsx';
import { auditWords } from '../../site/src/features/audit/words.ts';
import { emptyAnswers } from '../../site/src/features/selling/wizard/draft.ts';
import { PricingStep } from '../../site/src/features/selling/wizard/PricingStep.tsx';
import { wizardWords } from '../../site/src/features/selling/words.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { live } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';

/** Text of a page, and the attributes that screen readers read. */
function read(html: string): string {
  const named = [...html.matchAll(/\s(?:aria-label|title|alt|content)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  return [
    html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ').replaceAll(/<[^>]+>/g, ' '),
    ...named,
  ].join('\n');
}

/** A one-digit slot number: `#7`, `Slot 7`, `emplacement numéro 7`. */
const bare =
  /(?<![&\w])#\d(?![\da-f])|\b(?:slot|emplacement)s?(?: number| numéro| nº)? #?\d(?!\d)/gi;

test('a sentence with a slot has its number after a #, and no sentence a number of one figure', () => {
  for (const language of languages) {
    const all = JSON.stringify(dictionaries[language]);
    // For screen readers only, which do not read `#`.
    const spoken = dictionaries[language].common.a11y.slotNumber;
    expect(spoken).toMatch(/\S (number|numéro) \{\{slot\}\}$/);
    expect(all.replaceAll(spoken, '').match(/.{9}(?<!#)\{\{slot\}\}/g)).toBeNull();
    expect(all.match(bare)).toBeNull();
  }
});

test('a sentence takes a slot’s number as it is read, or the compiler stops', () => {
  // @ts-expect-error a bare number would be read as `#7`
  expect(translator('en', 'common')('slot.number', { slot: 7 })).toBe('Slot #7');
  expect(translator('en', 'common')('slot.number', { slot: '07' })).toBe('Slot #07');
});

test.each([...languages])('screens show it with two figures, in %s', (language) => {
  const pricing = wizardWords(language);
  const step = {
    language,
    words: pricing,
    t: clientTranslator(language, pricing),
    answers: emptyAnswers,
    errors: {},
    set() {},
    left() {},
  };
  const figures = { views: 1, clicks: 1, shares: 1, messageTaps: 1, engagement: 3 };
  const slots = [{ slotId: 7, productId: 'p', name: 'Pagne', products: 1, ...figures }];
  const screen = { t: clientTranslator(language, auditWords(language)), language };
  const entry = {
    id: 'a',
    at: '2026-11-22T08:00:00Z',
    actorName: 'Ngo',
    actorId: null,
    actorKind: 'admin',
    action: 'slot.pause',
    subjectKind: 'slot',
    subject: translator(language, 'admin')('slots.number', { slot: '07' }),
  };
  const shown: ReactElement[] = [
    createElement(PricingStep, {
      ...step,
      answers: { ...emptyAnswers, listingType: 'featured' },
    } as never),
    createElement(Top, {
      slots,
      language,
      t: clientTranslator(language, analyticsWords(language)),
    } as never),
    createElement(AuditEntry, {
      screen,
      words: auditWords(language),
      names: {},
      entry: { ...entry, subjectId: '7', before: 1, after: 2 },
      onFilter() {},
    } as never),
  ];
  for (const element of shown) {
    const text = read(renderToStaticMarkup(element));
    expect(text).toContain('#07');
    expect(text.match(bare)).toBeNull();
  }
});

const market = await servedMarket();

test.each([...languages])('pages show it with two figures, in %s', async (language) => {
  await market.reset();
  const [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);
  const { slotId } = await live(market, seller, admin, { listingType: 'featured' });
  expect(slotId).toBe(1);
  for (const path of [
    '',
    '/how-it-works',
    '/seller/dashboard',
    `/shop/slot/${slotId}`,
    `/shop/${slotId}/details`,
    '/seller/products/upload',
  ]) {
    const { status, body } = await market.get(`/${language}${path}`, {
      accept: 'text/html',
      cookie: seller.jar.header(),
    });
    expect(status, path).toBe(200);
    expect(read(body).match(bare), path).toBeNull();
  }
});
