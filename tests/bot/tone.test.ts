import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { composeForChat, type MailKind } from '../../api/outbox/outbox.ts';
import { notifications } from '../../api/people/notifications.ts';
import { markSold } from '../../api/products/markSold.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { token } from '../support/botApi.ts';
import { jpeg } from '../support/photos.ts';
import { approved, live, productRow, submitted } from '../support/products.ts';
import { chatting, said, written } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const admin = await signInAdmin(market, { name: 'Admin' });
const seller = await signUpSeller(market, { name: 'Ngo Biyong' });
const { outbox, sellers, productDrafts } = schema;
beforeEach(() => market.reset());

const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const ofMail = /e.?mail|mailbox|inbox|password|mot de passe|forgot/i;
const says = {
  en: { join: 'join', yes: 'yes', back: 'back', sell: 'sell', mine: 'my listings', same: 'same' },
  fr: {
    join: 'inscription',
    yes: 'oui',
    back: 'retour',
    sell: 'vendre',
    mine: 'mes annonces',
    same: 'idem',
  },
} as const;
type Chat = Awaited<ReturnType<typeof chatting>>;
let people = 0;

/** A seller without a mailbox, in the chat in which the account began. */
async function joined(language: 'en' | 'fr', transport: 'telegram' | 'whatsapp' = 'telegram') {
  const address = `a chat ${++people}`;
  const chat = await chatting(market, { language, address, transport });
  const number = `+2376971${String(10_000 + people)}`;
  const say = says[language];
  await chat.say(say.join, { number });
  await chat.say('Ewondo Marie', { number });
  await chat.say('Bafoussam', { number });
  const last = await chat.say(say.yes, { number });
  const replies = texts(last).includes('Ewondo') ? last : await chat.say('', { number });
  return { chat, number, replies };
}
const unasked = async () =>
  (await market.db.select().from(outbox)).filter(
    ({ kind, channel }) => kind !== 'chatReply' && channel !== 'email',
  );
async function fill(chat: Chat, language: 'en' | 'fr', name: string): Promise<void> {
  await chat.say('', { photos: [{ ref: 'x' }] }, () => jpeg());
  const { same } = says[language];
  const description = 'Good state, with its box and charger';
  const done = language === 'en' ? 'done' : 'terminé';
  for (const one of [done, name, same, description, same, '9', '5000', '1', '1', done, '1'])
    await chat.say(one);
}

describe('an account without a mailbox', () => {
  // Accounts with a mailbox alone have a password or a Google sign-in, and admins a second factor.
  const withMailbox: readonly MailKind[] = [
    'passwordChanged',
    'googleConnected',
    'googleDisconnected',
    'factorOn',
    'factorOff',
    'moderatorGiven',
    'moderatorTaken',
    'emailMoved',
    'testMail',
  ];
  const kinds = (Object.keys(notifications) as MailKind[]).filter(
    (kind) => notifications[kind].reach !== 'mailbox' && !withMailbox.includes(kind),
  );

  test.each(languages)('reads of no e-mail or password in any notification, in %s', (language) => {
    const params = new Proxy({}, { get: () => 'x', has: () => true });
    const wrong = kinds.filter((kind) =>
      ofMail.test(composeForChat({ name: 'A', language, kind, params, link: 'http://m/x' }).text),
    );
    expect(wrong).toEqual([]);
  });

  test.each(languages)('reads of none after submitting or suspended, in %s', async (language) => {
    const { chat, number } = await joined(language);
    const say = says[language];
    const read = [await chat.say(language === 'en' ? 'help' : 'aide')];
    read.push(await chat.say(say.join), await chat.say(say.sell));
    await fill(chat, language, 'Garden chair');
    read.push(await chat.say(language === 'en' ? 'submit' : 'envoyer'));
    read.push(await chat.say(say.mine), await chat.say('1'));
    for (const words of [['notices'], ['notices off'], ['notices on']])
      read.push(await chat.say(words.join()));
    const [row] = await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.verifiedWhatsapp, number));
    const ctx = await market.ctx(admin);
    await suspendSeller(ctx, row?.id ?? '', 'Photos of others');
    read.push(await chat.say(say.mine), await chat.say(say.sell));
    const told = (await unasked()).map(({ bodyText }) => bodyText);
    expect(told.length).toBeGreaterThan(0);
    const all = [...read.flat().map(written), ...told];
    expect(all.filter((text) => ofMail.test(text))).toEqual([]);
  });

  test.each(languages)('joining and submitting send one message, in %s', async (language) => {
    const { chat, replies } = await joined(language);
    expect(texts(replies)).toContain('Ewondo Marie');
    expect(await unasked()).toEqual([]);
    await chat.say(says[language].sell);
    await fill(chat, language, 'Garden chair');
    const answer = await chat.say(language === 'en' ? 'submit' : 'envoyer');
    expect(answer).toHaveLength(1);
    expect(texts(answer)).toContain('Garden chair');
    expect(await unasked()).toEqual([]);
    // The product of another chat is told here as before.
    const label = dictionaries[language].bot.button.listing;
    expect(texts(await chat.say(said(answer, label)))).toContain('Garden chair');
  });
});

test('what is done in one chat is told in the other chats of the account', async () => {
  const first = await chatting(market, { person: seller, language: 'en', address: 'one' });
  const other = await chatting(market, { person: seller, language: 'en', address: 'two' });
  await first.say('sell');
  await fill(first, 'en', 'Garden chair');
  await first.say('submit');
  expect((await unasked()).map(({ recipient, kind }) => [recipient, kind])).toEqual([
    [other.keyHash, 'productSubmitted'],
  ]);
});

test.each(languages)(
  'a waiting product marked as sold promises no slot, in %s',
  async (language) => {
    const { id } = await approved(market, seller, admin, { name: { en: 'Chair', fr: 'Chair' } });
    const chat = await chatting(market, { person: seller, language });
    await chat.say(says[language].mine);
    const question = texts(await chat.say(language === 'en' ? 'sold 1' : 'vendu 1'));
    expect(question).toMatch(language === 'en' ? /place in the queue/ : /place dans la file/);
    expect(question).not.toMatch(/slot|emplacement/);
    await markSold(await market.ctx(seller), id);
  },
);

test('French has one noun for a stall', () => {
  const { words: _, ...copy } = dictionaries.fr.bot;
  for (const group of [copy, dictionaries.fr.home, dictionaries.fr.common, dictionaries.fr.shop])
    expect(JSON.stringify(group)).not.toMatch(/(?<!\p{L})étals?(?!\p{L})/iu);
  // People still write it.
  expect(dictionaries.fr.bot.words.show).toContain('étal');
});

test.each(languages)(
  'the language of the chat is not optional in a draft, in %s',
  async (language) => {
    const chat = await chatting(market, { person: seller, language });
    await chat.say(says[language].sell);
    await chat.say('', { photos: [{ ref: 'x' }] }, () => jpeg());
    const [name] = await chat.say(language === 'en' ? 'done' : 'terminé');
    const skip = dictionaries[language].bot.button.skip;
    expect(written(name as never)).not.toContain(`[${skip}`);
    const refused = texts(await chat.say(language === 'en' ? 'skip' : 'passer'));
    expect(refused).toContain(dictionaries[language].bot.draft.cannotSkip);
  },
);

test.each(languages)('wrong link codes advise no new password, in %s', async (language) => {
  const chat = await chatting(market, { language });
  const answers: string[] = [];
  for (let n = 0; n < 14; n++)
    answers.push(texts(await chat.say(`${language === 'en' ? 'link' : 'lier'} ABCD-2345`)));
  expect(new Set(answers).size).toBe(2);
  expect(answers.filter((text) => ofMail.test(text))).toEqual([]);
});

describe('a listing', () => {
  test.each(languages)(
    'is opened by its button and by the label typed, in %s',
    async (language) => {
      const { id, slotId } = await live(market, seller, admin, {
        name: { en: 'Chair', fr: 'Chair' },
      });
      const chat = await chatting(market, { person: seller, language });
      const { listing } = dictionaries[language].bot.button;
      const [card] = await chat.say(listing);
      const { slug } = await productRow(market, id);
      expect(card?.text).toContain('Chair – ');
      expect(written(card as never)).toContain(
        `http://market.test/${language}/shop/${slotId}/${slug}`,
      );
      // With several, the list is shown to choose from.
      await live(market, seller, admin, { name: { en: 'Table', fr: 'Table' } });
      await chat.say(language === 'en' ? 'help' : 'aide');
      const again = await chatting(market, { person: seller, language, address: 'another' });
      expect(texts(await again.say(listing))).toMatch(/^\d\. Table/m);
    },
  );

  test('in review opens on the dashboard', async () => {
    await submitted(market, seller, { name: { en: 'Garden chair' } });
    const chat = await chatting(market, { person: seller, language: 'en' });
    const [card] = await chat.say('Show Listing');
    expect(card?.text).toContain('Garden chair – in review');
    expect(written(card as never)).toContain('http://market.test/en/seller/dashboard');
  });
});

describe.each(languages)('a new listing, in %s', (language) => {
  const { button } = dictionaries[language].bot;
  async function begun() {
    const chat = await chatting(market, { person: seller, language });
    await chat.say(says[language].sell);
    await chat.say('', { photos: [{ ref: 'x' }] }, () => jpeg());
    await chat.say(language === 'en' ? 'done' : 'terminé');
    await chat.say('Garden chair');
    await chat.say(language === 'en' ? 'cancel' : 'annuler');
    return chat;
  }

  test('asks what becomes of the old draft, and goes on with it', async () => {
    const chat = await begun();
    const asked = await chat.say(says[language].sell);
    expect(texts(asked)).toContain('Garden chair');
    expect(await market.db.select().from(productDrafts)).toHaveLength(1);
    expect(texts(await chat.say(said(asked, button.draftGoOn)))).toContain('Garden chair');
    expect(await market.db.select().from(productDrafts)).toHaveLength(1);
  });

  test('throws the old draft away only after that answer', async () => {
    const chat = await begun();
    const asked = await chat.say(says[language].sell);
    const fresh = await chat.say(said(asked, button.draftFresh));
    expect(texts(fresh)).not.toContain('Garden chair');
    const [draft] = await market.db.select().from(productDrafts);
    expect(draft).toMatchObject({ answers: {}, photos: [] });
    // The same tap again, in another moment, throws nothing away.
    await chat.say('', { photos: [{ ref: 'x' }] }, () => jpeg());
    await chat.say(said(asked, button.draftFresh));
    const [later] = await market.db.select().from(productDrafts);
    expect(later?.photos).toHaveLength(1);
  });

  test('“my draft” goes on without a question', async () => {
    const chat = await begun();
    const answer = await chat.say(language === 'en' ? 'my draft' : 'mon brouillon');
    expect(texts(answer)).toContain(language === 'en' ? 'Here is your draft' : 'Voici votre');
  });
});
