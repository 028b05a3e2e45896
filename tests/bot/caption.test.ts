import { beforeEach, expect, test } from 'vitest';
import { readCaption } from '../../bot/answers/drafting/caption.ts';
import type { Turn } from '../../bot/answers/types.ts';
import { schema } from '../../db/client.ts';
import { languages } from '../../locales/languages.ts';
import { signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { jpeg } from '../support/photos.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const seller = await signUpSeller(market);
beforeEach(() => market.reset());

const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const sends = (chat: Awaited<ReturnType<typeof chatting>>, caption: string, album?: string) =>
  chat.say(caption, { photos: [{ ref: 'x', ...(album ? { album } : {}) }] }, () => jpeg());
const drafts = () => market.db.select().from(schema.productDrafts);
const read = (caption: string) => readCaption({ ctx: { language: 'en' } } as Turn, caption);

test.each([
  ['Frigo 65 000 Douala', 'Frigo', '65000', 'Douala, Littoral'],
  ['Frigo 65000', 'Frigo', '65000', undefined],
  ['Frigo LG, 65.000 F, Yaoundé', 'Frigo LG', '65000', 'Yaoundé, Centre'],
  ['Samsung A14 128 Go à 75k', 'Samsung A14 128 Go', '75000', undefined],
  ['Sac en cuir 25 mille Bafoussam, Ouest', 'Sac en cuir', '25000', 'Bafoussam, West'],
  ['25 000 FCFA chaise de jardin', 'chaise de jardin', '25000', undefined],
  ['Chaussures 42 500 f Nanga-Eboko', 'Chaussures', '42500', 'Nanga-Eboko, Centre'],
  ['Hyundai Santa Fe 3 500 000', 'Hyundai Santa Fe', '3500000', undefined],
] as const)('“%s” is read', (caption, name, price, place) => {
  expect(read(caption)).toEqual({
    'name.en': name,
    price,
    ...(place ? { sellerLocation: place } : {}),
  });
});

test.each([
  'bonjour',
  'Frigo Douala',
  '65 000',
  'Taille 42',
  'Frigo 65 000 appelez 699 00 10 01',
  'Frigo 699001001',
  `${'x'.repeat(300)} 65 000`,
])('“%s” fills nothing', (caption) => expect(read(caption)).toBeUndefined());

test.each(languages)('a photo with such a caption fills the draft, in %s', async (language) => {
  const chat = await chatting(market, { person: seller, language });
  const answer = texts(await sends(chat, 'Frigo 65 000 Douala'));
  expect(answer).toMatch(/Frigo/);
  expect(answer).toMatch(/65.000/);
  const [draft] = await drafts();
  expect(draft?.photos).toHaveLength(1);
  expect(draft?.answers).toEqual({
    [`name.${language}`]: 'Frigo',
    price: '65000',
    sellerLocation: 'Douala, Littoral',
  });
  // A later caption changes nothing that was given.
  await sends(chat, 'Lampe 5 000 Kribi');
  expect((await drafts())[0]?.answers).toMatchObject({ price: '65000' });
});

test('a caption that breaks a rule of the form fills only what fits', async () => {
  const chat = await chatting(market, { person: seller, language: 'en' });
  const answer = texts(await sends(chat, 'Ab 65 000'));
  expect(answer).not.toContain('Name');
  expect((await drafts())[0]?.answers).toEqual({ price: '65000' });
});

test('of an album the photo with the caption fills the draft', async () => {
  const chat = await chatting(market, { person: seller, language: 'fr' });
  await sends(chat, '', '7');
  await sends(chat, 'Frigo 65 000', '7');
  expect((await drafts())[0]).toMatchObject({ answers: { 'name.fr': 'Frigo', price: '65000' } });
});
