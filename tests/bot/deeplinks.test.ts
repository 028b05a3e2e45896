import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { encode } from 'uqr';
import { beforeEach, expect, test } from 'vitest';
import { chatLinks, listingCodePath, statusPicturePath } from '../../api/chats/deepLinks.ts';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { listingCode } from '../../api/chats/listingCode.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { newPost } from '../../api/connect/schema.ts';
import { typed } from '../../api/shared/commands.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { approved, live, productRow } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const env = { TELEGRAM_BOT_NAME: 'Marche54Bot', WHATSAPP_NUMBER: '237699000000' };
const market = await testApp({ env });
const [admin, seller, member] = [
  await signInAdmin(market),
  await signUpSeller(market),
  await signUpMember(market, { name: 'Atangana' }),
];
beforeEach(() => market.reset());

/** The text that a link sends: Telegram's start parameter, WhatsApp's prefilled message. */
function writtenBy({ telegram = '', whatsapp = '' }: ReturnType<typeof chatLinks>): string[] {
  const [, parameter] = /^https:\/\/t\.me\/Marche54Bot(?:\?start=([\w-]{1,64}))?$/.exec(
    telegram,
  ) ?? ['', 'no link'];
  expect(whatsapp).toMatch(/^https:\/\/wa\.me\/237699000000\?text=/);
  return [
    parameter ? `/start ${parameter}` : '/start',
    decodeURIComponent(whatsapp.split('text=')[1] ?? ''),
  ];
}

test.each([
  ['behind a link', '/start s_11_en', ['contact', 'yes']],
  ['behind words for goods', 'samsung galaxy', ['contact 11', 'yes']],
  ['behind the first word', 'contact 11', ['yes']],
])('the way to the seller %s', async (_, first, others) => {
  await live(market, seller, admin, { name: { en: 'Samsung Galaxy', fr: 'Samsung Galaxy' } });
  const chat = await chatting(market, { address: first });
  for (const said of [first, ...others.slice(0, -1)]) {
    expect(JSON.stringify(await chat.say(said))).not.toContain('wa.me/');
  }
  expect(JSON.stringify(await chat.say(others.at(-1) ?? ''))).toContain('https://wa.me/2376');
});

test.each(languages)(
  'a link into the chat opens the same in %s on every network',
  async (language) => {
    await grant(market, member, 3);
    const { id, slotId } = await live(market, seller, admin, {
      name: { en: 'Samsung Galaxy', fr: 'Samsung Galaxy' },
    });
    const input = {
      title: 'A driver for Saturday',
      description: 'From Douala to Kribi',
      category: 'other',
      contactWhatsapp: '699001000',
    };
    const { reference } = await publishPost(
      await market.ctx(member),
      newPost.parse(input),
      'a key',
    );
    const expected = [
      [{ product: id }, 'Samsung Galaxy'],
      [{ slot: slotId }, 'Samsung Galaxy'],
      [{ post: reference }, 'A driver for Saturday'],
      ['start', '54'],
      ['link', 'ABCD-2345'],
    ] as const;
    for (const [target, words] of expected) {
      const answers: string[] = [];
      for (const text of writtenBy(chatLinks(env, language, target))) {
        const chat = await chatting(market, { language, address: `${text} in ${language}` });
        answers.push((await chat.say(text)).map((reply) => reply.text).join('\n'));
      }
      expect(answers[0], JSON.stringify(target)).toContain(words);
      expect(answers[1]).toBe(answers[0]);
      expect(answers[0]).not.toContain('699001000');
    }
  },
);

test('a link with the code of an account page asks whether to link the chat, on every network', async () => {
  for (const network of [0, 1]) {
    const { code } = await newLinkCode(await market.ctx(member));
    const chat = await chatting(market, { language: 'en', address: `network ${network}` });
    await chat.say(writtenBy(chatLinks(env, 'en', { code }))[network] ?? '');
    expect(await chat.row()).toMatchObject({ userId: null });
    await chat.say('yes');
    expect(await chat.row()).toMatchObject({ userId: member.userId });
  }
});

test('nothing leads where the market is not, and what nobody has made is greeted', async () => {
  expect(chatLinks({}, 'en')).toEqual({});
  expect(Object.keys(chatLinks({ WHATSAPP_NUMBER: '237699000000' }, 'fr', { slot: 7 }))).toEqual([
    'whatsapp',
  ]);
  const chat = await chatting(market, { language: 'en' });
  for (const odd of [
    'toString',
    'p',
    's-',
    'sell-7',
    'x-1',
    'c-zzzz',
    '__proto__',
    's-99',
    'p-00000000',
    'link-x',
  ]) {
    const [reply] = await chat.say(`/start ${odd}`);
    expect(reply?.text.length, odd).toBeGreaterThan(10);
  }
});

test.each(languages)('Telegram’s link on a page starts a new chat in %s', async (language) => {
  const { slotId } = await live(market, seller, admin, { name: { en: 'Stove', fr: 'Réchaud' } });
  const other = language === 'en' ? 'fr' : 'en';
  for (const [n, target] of (['start', { slot: slotId }, 'sell', 'link'] as const).entries()) {
    const [start = ''] = writtenBy(chatLinks(env, language, target));
    const chat = await chatting(market, { address: `new ${language} ${n}` });
    // The page counts for more than the language of the app.
    await chat.say(start, { language: other });
    expect((await chat.row())?.language).toBe(language);
  }
  const [start = ''] = writtenBy(chatLinks(env, language));
  const chosen = await chatting(market, { address: `chosen ${language}`, language: other });
  await chosen.say(start);
  expect((await chosen.row())?.language).toBe(other);
});

/** True if the left side of a printed picture is exactly the code of an address. */
async function shows(picture: Uint8Array, url = ''): Promise<boolean> {
  const { size, data } = encode(url, { border: 4 });
  const { data: pixels, info } = await sharp(picture)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const edge = 44;
  const middle = (at: number) => Math.round(edge + ((at + 0.5) * (info.height - 2 * edge)) / size);
  return data.every((row, y) =>
    row.every((dark, x) => dark === (pixels[middle(y) * info.width + middle(x)] ?? 0) < 128),
  );
}

test.each(languages)('the code of a live listing holds its deep link in %s', async (language) => {
  const { id, slotId } = await live(market, seller, admin);
  const { whatsapp, telegram } = chatLinks(env, language, { product: id });
  const response = await market.request(listingCodePath(id, language));
  expect(response.status).toBe(200);
  const picture = new Uint8Array(await response.arrayBuffer());
  expect(await shows(picture, whatsapp)).toBe(true);
  expect(await shows(picture, telegram)).toBe(false);

  const ctx = await market.ctx();
  const services = { ...ctx.services, env: { ...ctx.services.env } };
  services.env.WHATSAPP_NUMBER = undefined;
  expect(
    await shows(await listingCode({ ...ctx, services }, productCode(id), language), telegram),
  ).toBe(true);
  services.env.TELEGRAM_BOT_NAME = undefined;
  const { slug } = await productRow(market, id);
  const page = `http://market.test/${language}/shop/${slotId}/${slug}`;
  expect(
    await shows(await listingCode({ ...ctx, services }, productCode(id), language), page),
  ).toBe(true);
});

test('a listing that is not live has no code', async () => {
  const { id } = await approved(market, seller, admin);
  for (const unknown of [id, '00000000'])
    expect((await market.request(listingCodePath(unknown, 'en'))).status).toBe(404);
});

test.each(languages)(
  'a seller gets the picture of a live listing for a status in %s',
  async (language) => {
    const { id } = await live(market, seller, admin);
    const waiting = await approved(market, seller, admin);
    const chat = await chatting(market, { person: seller, language });
    const words = typed(language, 'picture', productCode(id));
    const [listed] = await chat.say(typed(language, 'listing', productCode(id)));
    expect(listed?.buttons?.flat()).toContainEqual(expect.objectContaining({ say: words }));
    const before = await sharesOf(id);
    const [given] = await chat.say(words);
    expect(given?.buttons?.flat()[0]).toMatchObject({
      url: market.env.publicUrl + statusPicturePath(id, language),
    });
    expect(await sharesOf(id)).toBe(before + 1);
    // The listing shown last needs no code; another one that is not live has no picture.
    expect(await chat.say(typed(language, 'picture'))).toEqual([given]);
    const [refused] = await chat.say(typed(language, 'picture', productCode(waiting.id)));
    expect(refused?.text).toBe(dictionaries[language].errors.products.notLive);
  },
);
const sharesOf = (id: string) =>
  market.db.$count(
    schema.engagementEvents,
    and(eq(schema.engagementEvents.productId, id), eq(schema.engagementEvents.type, 'share')),
  );
