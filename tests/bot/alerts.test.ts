import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { mostWithoutAccount } from '../../api/alerts/rules.ts';
import { tellAlerts } from '../../api/alerts/tell.ts';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { toSend } from '../../api/chats/replies.ts';
import { mostADay } from '../../api/people/daily.ts';
import { switchNotification } from '../../api/people/switches.ts';
import { isOpenTo } from '../../api/people/window.ts';
import { sayable } from '../../bot/answers/market.ts';
import { requestIn, saidIn } from '../../bot/understanding/request.ts';
import { schema } from '../../db/client.ts';
import { categories } from '../../db/vocabularies.ts';
import { languages } from '../../locales/languages.ts';
import { actors, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { token } from '../support/botApi.ts';
import { live } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const { seller, otherSeller, admin } = await actors(market);
const { alerts, outbox } = schema;
beforeEach(() => market.reset());

const phone = { name: { en: 'Phone Tecno', fr: 'Téléphone Tecno' }, price: 45_000 };
const minute = () => market.clock.advance({ minutes: 1 });
const tell = () => tellAlerts(market.job('tell-alerts'));
const notices = async () => {
  const rows = await market.db.select().from(outbox).where(eq(outbox.kind, 'alertFits'));
  return Promise.all(
    rows.map(async (row) => (await toSend(market.job('x'), row.recipient, row))?.reply),
  );
};
const kept = () => market.db.select().from(alerts);
const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');

describe('an alert of a chat without an account', () => {
  test('is asked for in a sentence, told here with buttons, paused, resumed and ended by a tap', async () => {
    const chat = await chatting(market, { language: 'en' });
    const added = await chat.say('abeg tell me when a phone under 50000 comes in Douala');
    expect(texts(added)).toMatch(/“phone douala” · up to XAF\s50,000, I tell you here/);
    expect(await kept()).toMatchObject([{ userId: null, query: '?q=phone+douala&max=50000' }]);
    minute();
    await live(market, seller, admin, { ...phone, sellerLocation: 'Douala, Littoral' });
    expect(await tell()).toEqual({ told: 1 });
    minute();
    expect(await tell()).toEqual({ told: 0 });
    const [notice] = await notices();
    expect(notice?.text).toMatch(/Phone Tecno · XAF\s45,000 · Douala, Littoral/);
    expect(notice?.picture).toMatch(/\.webp$/);
    const shown = [notice ?? { text: '' }];
    expect(texts(await chat.say(said(shown, 'Pause This Alert')))).toContain('until you resume it');
    expect(await kept()).toMatchObject([{ pausedAt: market.clock.now() }]);
    expect(texts(await chat.say('resume alert'))).toContain('at once');
    const own = await chat.say('my alerts');
    const card = await chat.say(said(own, '1'));
    expect(texts(await chat.say(said(card, 'Each Morning')))).toContain('each morning');
    expect(await kept()).toMatchObject([{ pausedAt: null, pace: 'day' }]);
    expect(texts(await chat.say(said(shown, 'End This Alert')))).toContain('Ended');
    expect(await kept()).toEqual([]);
    expect(texts(await chat.say(said(shown, 'End This Alert')))).toContain('ended already');
  });

  test('is ended by one word if it is the only one; of several the chat asks which', async () => {
    const chat = await chatting(market, { language: 'en' });
    await chat.say('alert fridge');
    minute();
    await chat.say('alert laptop');
    const asked = await chat.say('end alert');
    expect(texts(asked)).toMatch(/Which alert\?\n\n1\. “laptop” – at once\n2\. “fridge”/);
    await chat.say(said(asked, '2'));
    expect(await kept()).toMatchObject([{ query: '?q=laptop' }]);
    expect(texts(await chat.say('cancel my alert for laptop'))).toContain('Ended');
    expect(texts(await chat.say('alerts'))).toContain('no alert yet');
  });

  test('counts three messages a day, is silenced by STOP, and is one of ten', async () => {
    const chat = await chatting(market, { language: 'en' });
    await chat.say('alert phone');
    for (let n = 0; n <= mostADay; n++) {
      minute();
      await live(market, n < 2 ? seller : otherSeller, admin, phone);
      await tell();
    }
    expect(await notices()).toHaveLength(mostADay);
    market.clock.advance({ days: 1 });
    await chat.say('stop');
    expect(await tell()).toEqual({ told: 0 });
    expect(texts(await chat.say('alert fridge'))).toContain('stopped all messages');
    await chat.say('notices yes');
    market.clock.advance({ days: 1 });
    expect(await tell()).toEqual({ told: 1 });
    for (let n = 1; n < mostWithoutAccount; n++) await chat.say(`alert phone under ${n}0000`);
    expect(texts(await chat.say('alert fridge'))).toContain(
      `You have ${mostWithoutAccount} alerts`,
    );
  });

  test('moves to the account that the chat is linked to, and ends with the chat', async () => {
    const person = await signUpMember(market);
    const chat = await chatting(market, { language: 'en' });
    await chat.say('alert phone');
    const { code } = await newLinkCode(await market.ctx(person));
    await chat.say(`link ${code}`);
    await chat.say('yes');
    expect(await kept()).toMatchObject([{ userId: person.userId, chatId: null }]);
    const other = await chatting(market, { language: 'en', address: 'another' });
    await other.say('alert phone');
    expect(await kept()).toHaveLength(2);
    await market.sql`delete from chats where key_hash = ${other.keyHash}`;
    expect(await kept()).toHaveLength(1);
  });

  test('follows the shop of a stall', async () => {
    const chat = await chatting(market, { language: 'en' });
    const { slotId } = await live(market, seller, admin, phone);
    expect(texts(await chat.say(`follow ${slotId}`))).toContain('no shop yet');
    await market.db
      .update(schema.sellers)
      .set({ businessName: 'Akwa Phones' })
      .where(eq(schema.sellers.id, seller.sellerId ?? ''));
    await market.sql`insert into shop_slugs (slug, seller_id, taken_at)
      values ('akwa-phones', ${seller.sellerId ?? ''}, now()) on conflict do nothing`;
    expect(texts(await chat.say(`follow ${slotId}`))).toContain('Akwa Phones');
    minute();
    await live(market, seller, admin, { ...phone, name: { en: 'Lamp', fr: 'Lampe' } });
    expect(await tell()).toEqual({ told: 1 });
    expect((await notices())[0]?.text).toContain('Lamp');
    // The card shown last is meant.
    expect(texts(await chat.say('follow'))).toContain('Akwa Phones');
    const other = await chatting(market, { language: 'en', address: 'another' });
    expect(texts(await other.say('follow'))).toContain('Whose shop?');
  });
});

describe('words about an alert', () => {
  const add = async (...texts: string[]) => {
    const chat = await chatting(market, { language: 'en' });
    for (const text of texts) {
      minute();
      await chat.say(text);
    }
    return chat;
  };
  const queries = async () => (await kept()).map(({ query }) => query).toSorted();

  test.each([
    'let me know when a radio comes at the end of the month',
    'notify me when you have a radio with a stop button',
    'prévenez-moi dès que vous avez un frigo, je veux le retirer demain',
    'alert every new phone',
    'alerte chaque nouveau téléphone',
  ])('ask for another one, and leave the first: %s', async (text) => {
    await add('alert laptop', text);
    expect(await queries()).toHaveLength(2);
    expect(await queries()).toContain('?q=laptop');
  });

  test.each(['end alert laptop', 'stop alert laptop', 'cancel my alert for the laptop'])(
    'name the one that ends: %s',
    async (text) => {
      const chat = await add('alert fridge', 'alert laptop', text);
      expect(await queries()).toEqual(['?q=fridge']);
      expect((await chat.row())?.stoppedAt).toBeNull();
      expect(texts(await chat.say('end alert radio'))).toContain('Which alert?');
      expect(await queries()).toEqual(['?q=fridge']);
      await chat.say('arrêter l’alerte');
      expect(await queries()).toEqual([]);
      expect(texts(await chat.say('stop my alert'))).toMatch(/no alert yet.*stop all messages/s);
    },
  );

  test('change how often it tells, in both languages', async () => {
    const chat = await add('alert laptop');
    await chat.say('alert every monday');
    expect(await kept()).toMatchObject([{ pace: 'week' }]);
    await chat.say('alerte chaque jour');
    expect(await kept()).toMatchObject([{ pace: 'day' }]);
  });

  test('of a slip are kept as the market understands them', async () => {
    await live(market, seller, admin, { name: { en: 'Samsung', fr: 'Samsung' } });
    const chat = await add('find samsug');
    expect(await queries()).toEqual([]);
    await chat.say('alert samsug');
    expect(await queries()).toEqual(['?q=samsung']);
  });

  test('“stop” takes back what waits to be sent, also without an account', async () => {
    const chat = await add('alert phone');
    minute();
    await live(market, seller, admin, phone);
    await tell();
    expect(await notices()).toHaveLength(1);
    await chat.say('stop');
    expect(await notices()).toHaveLength(0);
    expect(texts(await chat.say('alertes oui'))).toContain('what your alerts find');
    expect((await chat.row())?.stoppedAt).toBeNull();
    expect(texts(await chat.say('alert on'))).toContain('1 alert:');
  });
});

test('messages of a day are counted over linking: three, whoever the chat was', async () => {
  const person = await signUpMember(market);
  const chat = await chatting(market, { language: 'en' });
  await chat.say('alert phone');
  for (let n = 0; n < mostADay; n++) {
    minute();
    await live(market, n < 2 ? seller : otherSeller, admin, phone);
    await tell();
  }
  const { code } = await newLinkCode(await market.ctx(person));
  await chat.say(`link ${code}`);
  await chat.say('yes');
  minute();
  await live(market, otherSeller, admin, phone);
  expect(await tell()).toEqual({ told: 0 });
});

test('a chat of the Cloud API gets what is unasked in its 24 hours, later with a template alone', () => {
  const now = new Date('2026-11-24T08:00:00Z');
  const cloud = (wrote: string | null, template?: string, token = 'x') =>
    isOpenTo(
      { WHATSAPP_CLOUD_TOKEN: token, WHATSAPP_CLOUD_TEMPLATE: template } as never,
      { transport: 'whatsapp', wroteAt: wrote === null ? null : new Date(wrote) },
      now,
    );
  expect([cloud('2026-11-23T09:00:00Z'), cloud('2026-11-23T07:00:00Z'), cloud(null)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([cloud(null, 'news'), cloud(null, undefined, '')]).toEqual([true, true]);
});

test('a linked chat says where its account is told, and if it is not', async () => {
  const person = await signUpMember(market);
  const chat = await chatting(market, { person, language: 'en' });
  expect(texts(await chat.say('alert phone'))).toContain('I tell you here');
  await market.db.update(schema.user).set({ toldBy: 'email' });
  expect(texts(await chat.say('alert phone'))).toMatch(/told by mail\. .*\/en\/alerts$/m);
  expect(await kept()).toMatchObject([{ userId: person.userId }]);
  await switchNotification(await market.ctx(person), 'alertFits', false);
  const [silent] = await chat.say('alert phone');
  expect(silent?.text).toContain('You are told nothing now');
});

test.each([
  ['alerte tél 50.000', { words: ['tel'], max: 50_000 }],
  ['alert l’iphone 11', { words: ['iphone', '11'] }],
  ['alert: Home & Garden', { category: 'home_garden' }],
])('what is typed behind the command is read whole: %s', (text, query) => {
  expect(requestIn(text, saidIn(text, {}), {})).toMatchObject({
    intent: 'alert',
    args: { query },
  });
});

test.each(languages)('a search offers an alert in words that mean the same, in %s', (language) => {
  for (const query of [
    ...categories.map((category) => ({ category })),
    ...['new bell', 'contact lenses', 'place marche', 'maison louer douala', 'produit beaute'].map(
      (words) => ({ words: words.split(' ') }),
    ),
    { words: ['phone', 'douala'], max: 50_000 },
    { words: ['tecno'], min: 10_000, max: 90_000 },
    { lane: 'premium' as const },
  ]) {
    const word = { en: 'alert', fr: 'alerte' }[language as 'en' | 'fr'];
    const text = [word, ...sayable({ ctx: { language } } as never, query)].join(' ');
    expect(requestIn(text, saidIn(text, {}), {})).toMatchObject({
      intent: 'alert',
      args: { query },
    });
  }
});
