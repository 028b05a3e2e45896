import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { townNamed } from '../../api/shared/places/townNamed.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { testApp } from '../support/app.ts';
import { chatting, said, written } from '../support/talk.ts';

const market = await testApp();
beforeEach(() => market.reset());
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const words = {
  en: { join: 'join', back: 'back', yes: 'yes', no: 'no', region: 'West' },
  fr: { join: 'inscription', back: 'retour', yes: 'oui', no: 'non', region: 'Ouest' },
} as const;
let people = 0;
let number = '';
beforeEach(() => {
  number = `+2376972${10_000 + ++people}`;
});
const begun = async (language: 'en' | 'fr', transport: 'telegram' | 'whatsapp' = 'whatsapp') => {
  const chat = await chatting(market, { language, transport });
  const say = (text: string) => chat.say(text, { number });
  await say(words[language].join);
  return { say, ...dictionaries[language].bot };
};
const place = async () =>
  (await market.db.select().from(schema.sellers).where(eq(schema.sellers.whatsapp, number)))[0]
    ?.location;

test.each(languages)('a refused answer repeats its question, in %s', async (language) => {
  const { say, join } = await begun(language);
  expect(texts(await say('X'))).toContain(join.name);
  await say('Ewondo Marie');
  expect(texts(await say('X'))).toContain(join.place);
});

test.each(languages)('back asks the question before, at every step, in %s', async (language) => {
  const { say, join } = await begun(language);
  const { back } = words[language];
  expect(texts(await say(back))).toContain(join.name);
  await say('Ewondo Mary');
  expect(texts(await say(back))).toContain(join.name);
  await say('Ewondo Marie');
  await say('Foumban');
  expect(texts(await say(back))).toContain(join.place);
  await say('Bafousam');
  expect(texts(await say(back))).toContain(join.place);
  await say('Bafoussam');
  expect(texts(await say(words[language].yes))).toContain('Ewondo Marie');
  expect(await place()).toBe(`Bafoussam, ${words[language].region}`);
});

test.each(languages)('the number can be left for the terms before it, in %s', async (language) => {
  const chat = await chatting(market, { language, transport: 'telegram' });
  const { join } = dictionaries[language].bot;
  for (const text of [words[language].join, 'Ewondo Marie', 'Kribi', words[language].yes])
    await chat.say(text);
  expect(texts(await chat.say(words[language].back))).toContain(join.terms);
});

test.each(languages)('an unknown town is asked back with near ones, in %s', async (language) => {
  const { say, join, button } = await begun(language);
  await say('Ewondo Marie');
  const asked = await say('Bafousam');
  expect(texts(asked)).toContain('Bafousam');
  expect(said(asked, 'Bafoussam')).toBe('Bafoussam');
  expect(written(asked[0] as never)).toContain(`[${button.draftBack}`);
  // "No" asks for the place again, and does not end the joining.
  expect(texts(await say(words[language].no))).toContain(join.place);
  const far = await say('Nkolbisson');
  expect(said(far, 'Yaoundé')).toBe('Yaoundé');
  // What the list does not have is kept after that question, with its region.
  expect(texts(await say(said(far, join.keep)))).toContain(join.region);
  await say(words[language].region);
  await say(words[language].yes);
  expect(await place()).toBe(`Nkolbisson, ${words[language].region}`);
});

test.each(languages)('a region alone is asked for its town, in %s', async (language) => {
  const { say, join } = await begun(language);
  await say('Ewondo Marie');
  const asked = await say(words[language].region);
  expect(texts(asked)).toContain(join.townOf);
  await say(said(asked, 'Foumban'));
  await say(words[language].yes);
  expect(await place()).toBe(`Foumban, ${words[language].region}`);
});

test.each([
  ['bafoussam', 'Bafoussam', true],
  ['Limbé', 'Limbe', true],
  ['Bamenda NW', 'Bamenda', true],
  ['Akwa, Douala', 'Douala', false],
  ['Douala, Centre', undefined, false],
  ['Douala / Kribi', undefined, false],
  ['Ouest', undefined, false],
  ['', undefined, false],
] as const)('%s names the town %s', (text, name, alone) => {
  expect(townNamed(text)?.town.en).toBe(name);
  expect(townNamed(text)?.alone ?? false).toBe(alone);
});

test.each(languages)(
  'WhatsApp’s id of before November 2014 joins without a badge, in %s',
  async (language) => {
    const chat = await chatting(market, { language, transport: 'whatsapp' });
    const { verify } = dictionaries[language].bot;
    const say = (text: string) => chat.say(text, { oldNumber: number });
    for (const text of [words[language].join, 'Ewondo Marie', 'Kribi']) await say(text);
    const [done] = await say(words[language].yes);
    expect(done?.text).toContain(phoneText(number));
    expect(done?.text).toContain(verify.old);
    const [asked] = await say(language === 'en' ? 'verify' : 'vérifier');
    expect(asked?.text).toContain(verify.old);
    const [row] = await market.db
      .select()
      .from(schema.sellers)
      .where(eq(schema.sellers.whatsapp, number));
    expect(row).toMatchObject({ verified: false, verifiedWhatsapp: null });
  },
);
