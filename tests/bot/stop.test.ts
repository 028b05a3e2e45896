import { and, eq, ne } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ownChats } from '../../api/chats/reads.ts';
import { switchNotices } from '../../api/chats/switchNotices.ts';
import { notify, notifySellersOf } from '../../api/people/notify.ts';
import { isStop } from '../../bot/understanding/stop.ts';
import { schema } from '../../db/client.ts';
import { actors, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { token } from '../support/botApi.ts';
import { cloudEnv } from '../support/cloudApi.ts';
import { live, productRow } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp({
  env: { TELEGRAM_BOT_TOKEN: token, ...cloudEnv('http://127.0.0.1:1') },
});
const { seller, admin } = await actors(market);
const { outbox, sellers, user } = schema;
beforeEach(async () => {
  await market.reset();
  await withFactor(market, admin);
  await mailbox(true);
});

const texts = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n');
const job = () => market.job('x');
/** Unasked messages to chats. */
const unasked = () =>
  market.db
    .select()
    .from(outbox)
    .where(and(ne(outbox.channel, 'email'), ne(outbox.kind, 'chatReply')))
    .orderBy(outbox.turn);
const speaks = (language: 'en' | 'fr') => market.db.update(user).set({ language });
async function mailbox(has: boolean): Promise<void> {
  await market.db.update(user).set({ emailVerified: has }).where(eq(user.id, seller.userId));
  const email = has ? 'seller@example.test' : null;
  await market.db.update(sellers).set({ email }).where(eq(sellers.userId, seller.userId));
}

test.each([
  'stop',
  'STOP',
  'Stop!',
  '/stop',
  'arrêt',
  'arret',
  'Arrêter',
  'arreter.',
  'unsubscribe',
  'désabonner',
  'me desabonner',
  'stop svp',
])('%s alone is a word that stops', (word) => expect(isStop(word)).toBe(true));
test.each(['stop 1', 'arrêter 1', 'bus stop', 'Stop plates', 'arrêter tout de suite le 3'])(
  '%s is none',
  (words) => expect(isStop(words)).toBe(false),
);

describe.each(['telegram', 'whatsapp'] as const)('on %s', (transport) => {
  test.each([
    ['en', 'stop', 'notices yes', /no message.*unless you write.*“notices yes”/is],
    ['fr', 'arrêt', 'avis oui', /plus aucun message.*«.avis oui.»/is],
  ] as const)(
    'STOP ends what is unasked, in %s; answers go on; resumed by %s',
    async (...given) => {
      const [language, stop, resume, line] = given;
      await speaks(language);
      const chat = await chatting(market, { person: seller, transport });
      await live(market, seller, admin);
      expect((await unasked()).length).toBeGreaterThan(0);
      expect(texts(await chat.say(stop))).toMatch(line);
      // What waited for this chat is not sent any more either.
      expect(await unasked()).toEqual([]);
      // Kinds that nobody can switch off are included.
      await notify(asTx(job()), { userId: seller.userId }, 'testChat', { when: 'now' });
      await live(market, seller, admin);
      expect(await unasked()).toEqual([]);
      expect(texts(await chat.say(language === 'en' ? 'my listings' : 'mes annonces'))).toMatch(
        /1\. /,
      );
      expect(texts(await chat.say(resume))).not.toBe('');
      await notify(asTx(job()), { userId: seller.userId }, 'testChat', { when: 'now' });
      expect(await unasked()).toHaveLength(1);
    },
  );

  test('STOP in the middle of a question keeps the question and the draft', async () => {
    await speaks('en');
    const chat = await chatting(market, { person: seller, transport });
    await chat.say('sell');
    await chat.say('change name');
    expect(texts(await chat.say('stop'))).toContain('What I asked last still waits');
    await chat.say('Garden chair');
    const [draft] = await market.db.select().from(schema.productDrafts);
    expect(JSON.stringify(draft?.answers)).toContain('Garden chair');
    // Here “notices yes” is no name of a product.
    await chat.say('change name');
    await chat.say('notices yes');
    expect((await chat.row())?.stoppedAt).toBeNull();
  });

  test('who has no mailbox finds at the next word what was not sent, once', async () => {
    await speaks('en');
    const { id } = await live(market, seller, admin);
    await mailbox(false);
    const chat = await chatting(market, { person: seller, transport });
    await chat.say('stop');
    await notify(asTx(job()), { userId: seller.userId }, 'sellerVerified', {});
    await notifySellersOf(asTx(job()), [id], 'productLive', () => ({
      product: 'P',
      slot: 1,
      end: '',
    }));
    const held = await unasked();
    expect(new Set(held.map(({ state }) => state))).toEqual(new Set(['held']));
    expect(texts(await chat.say('STOP'))).not.toContain('verified');
    const answer = await chat.say('help');
    expect(answer).toHaveLength(held.length + 1);
    expect(answer[0]?.text).toBe(held[0]?.bodyText);
    expect(answer.flatMap(({ buttons = [] }) => buttons.flat())).toEqual(
      expect.arrayContaining([expect.objectContaining({ label: 'Show Listing' })]),
    );
    expect(await chat.say('help')).toHaveLength(1);
    // Another chat that is open gets it at once, and nothing is held.
    const other = await chatting(market, { person: seller, transport, address: 'another' });
    await notify(asTx(job()), { userId: seller.userId }, 'sellerUnsuspended', {});
    const [last] = (await unasked()).slice(-1);
    expect([last?.recipient, last?.state]).toEqual([other.keyHash, 'waiting']);
  });

  test('an admin’s chat that stops is told which alarms then reach nobody', async () => {
    await speaks('en');
    const chat = await chatting(market, { person: admin, transport });
    const other = await chatting(market, { person: admin, transport, address: 'second' });
    expect(texts(await chat.say('stop'))).not.toContain('reach nobody');
    expect(texts(await other.say('stop'))).toMatch(
      /reach nobody.*products and reports.*Email: messages are not delivered/s,
    );
    await speaks('fr');
    expect(texts(await other.say('stop'))).toMatch(/n’atteignent plus personne/);
    await speaks('en');
  });

  test('“stop 1” and “arrêter 1” still withdraw, after a question', async () => {
    await speaks('en');
    const { id } = await live(market, seller, admin);
    const chat = await chatting(market, { person: seller, transport });
    await chat.say('my listings');
    for (const words of ['stop 1', 'arrêter 1']) {
      expect(texts(await chat.say(words))).toContain('Write yes or no.');
      expect((await productRow(market, id)).withdrawnAt).toBeNull();
    }
    expect((await chat.row())?.stoppedAt).toBeNull();
    await chat.say('yes');
    expect((await productRow(market, id)).withdrawnAt).not.toBeNull();
  });
});

test('a stranger’s STOP is answered in the language of the word, in both where it has none', async () => {
  const chat = await chatting(market);
  expect(texts(await chat.say('désabonner'))).toMatch(/^C’est noté/);
  const both = texts(await chat.say('stop'));
  expect(both).toContain('notices yes');
  expect(both).toContain('avis oui');
  expect(texts(await chat.say('avis oui'))).toMatch(/^C’est noté/);
  expect((await chat.row())?.stoppedAt).toBeNull();
});

test.each([
  ['plus de message svp', /^C’est noté/],
  ['no more texts abeg', /^All right/],
  ['laissez moi tranquille avec vos notifs', /^C’est noté/],
  ['notices off', /^All right/],
])('a stranger who writes “%s” gets silence, without an account', async (words, answer) => {
  const chat = await chatting(market);
  expect(texts(await chat.say(words))).toMatch(answer);
  expect((await chat.row())?.stoppedAt).not.toBeNull();
});

test('a sentence that answers a question in free words stops nothing, but is asked about', async () => {
  await speaks('en');
  const chat = await chatting(market, { person: seller });
  await chat.say('sell');
  await chat.say('change name');
  const answer = await chat.say('please do not send me any more messages');
  const asked = answer.at(-1);
  expect(asked?.text).toContain('stop all messages');
  expect((await chat.row())?.stoppedAt).toBeNull();
  const [draft] = await market.db.select().from(schema.productDrafts);
  expect(JSON.stringify(draft?.answers)).toContain('please do not send me any more messages');
  const [stop, keep] = asked?.buttons?.flat() ?? [];
  await chat.say((keep as { say: string }).say);
  expect((await chat.row())?.stoppedAt).toBeNull();
  await chat.say((stop as { say: string }).say);
  expect((await chat.row())?.stoppedAt).not.toBeNull();
});

test('at a question that takes no free words, a sentence stops at once', async () => {
  await speaks('en');
  const chat = await chatting(market, { person: seller });
  await chat.say('sell');
  expect(texts(await chat.say('stop sending me these messages'))).toContain(
    'What I asked last still waits',
  );
  expect((await chat.row())?.stoppedAt).not.toBeNull();
});

test('the account page shows a stopped chat as not notified, and can open it again', async () => {
  const chat = await chatting(market, { person: seller });
  await chat.say('stop');
  const ctx = await market.ctx(seller);
  const [shown] = (await ownChats(ctx)).chats;
  expect(shown?.notices).toBe(false);
  await switchNotices(ctx, shown?.id ?? '', true);
  expect((await chat.row())?.stoppedAt).toBeNull();
});
