import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { MailKind } from '../../../api/outbox/outbox.ts';
import { isOptional, notifications } from '../../../api/people/notifications.ts';
import { notify } from '../../../api/people/notify.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { schema } from '../../../db/client.ts';
import { dictionaries } from '../../../locales/index.ts';
import { languages } from '../../../locales/languages.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { token } from '../../support/botApi.ts';
import { live } from '../../support/products.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const quiet = await testApp({ database: market.database });
const { seller, otherSeller, admin } = await actors(market);
const { chats, outbox } = schema;
beforeEach(() => market.reset());

const told = async () =>
  (
    await market.db.select().from(outbox).where(eq(outbox.channel, 'telegram')).orderBy(outbox.turn)
  ).map(({ kind, subject, bodyText }) => ({
    kind,
    subject,
    bodyText,
  }));

test('a linked chat is told what happens to its person’s listings, in the words of the mail without its greeting', async () => {
  await chatting(market, { person: seller });
  await chatting(market, { person: otherSeller, address: 'another' });
  await live(market, seller, admin);
  const messages = await told();
  expect(messages.map(({ kind }) => kind)).toEqual([
    'productSubmitted',
    'productApproved',
    'productLive',
  ]);
  expect(messages[2]?.bodyText).toContain('Samsung Galaxy A14');
  expect(messages[2]?.bodyText).not.toMatch(/^Hello|email/m);
});

test('nobody is told in a chat who has switched that off, blocked the bot, or has let the chat go; nor where no bot runs', async () => {
  const { say, keyHash } = await chatting(market, { person: seller });
  const tell = (where = market) =>
    notify(asTx(where.job('x')), { userId: seller.userId }, 'productApproved', {
      product: 'Chair',
      lane: 'standard',
    });
  const set = (values: Partial<typeof chats.$inferInsert>) =>
    market.db.update(chats).set(values).where(eq(chats.keyHash, keyHash));
  expect(await tell()).toHaveLength(2);
  expect(await tell(quiet)).toHaveLength(1);
  await say('notices off');
  expect(await tell()).toHaveLength(1);
  await say('notices on');
  expect(await tell()).toHaveLength(2);
  await switchNotification(await market.ctx(seller), 'productApproved', false);
  expect(await tell()).toEqual([]);
  await switchNotification(await market.ctx(seller), 'productApproved', true);
  await set({ blockedAt: market.clock.now() });
  expect(await tell()).toHaveLength(1);
  await set({ blockedAt: null });
  await say('unlink');
  expect(await tell()).toHaveLength(1);
});

test('what is told in chats speaks of no mail, and what speaks of one is told by mail alone', async () => {
  await chatting(market, { person: seller });
  await notify(asTx(market.job('x')), { userId: seller.userId }, 'sellerVerified', {});
  expect(await told()).toEqual([]);
  const kinds = (Object.keys(notifications) as MailKind[]).filter(isOptional);
  for (const language of languages)
    for (const kind of kinds)
      expect(JSON.stringify(dictionaries[language].mail[kind]), kind).not.toMatch(
        /e-?mail|courriel/i,
      );
});
