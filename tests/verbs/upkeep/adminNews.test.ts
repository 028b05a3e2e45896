import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { publishPost } from '../../../api/connect/publish.ts';
import { reportPost } from '../../../api/connect/report.ts';
import { newPost } from '../../../api/connect/schema.ts';
import { ownSwitches, switchNotification } from '../../../api/people/switches.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { tellAdmins } from '../../../api/upkeep/adminNews.ts';
import { schema } from '../../../db/client.ts';
import { actors, signInAdmin, withFactor } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { token } from '../../support/botApi.ts';
import { grant } from '../../support/credits.ts';
import { submitted } from '../../support/products.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const { seller, member, admin } = await actors(market);
const second = await signInAdmin(market, { name: 'Second' });
const { outbox, secondFactors } = schema;
beforeEach(async () => {
  await market.reset();
  for (const person of [admin, second]) await withFactor(market, person);
  await chatting(market, { person: admin });
});

const tell = async () => (await tellAdmins(market.job('tell-admins'))).told;
const news = async () =>
  (
    await market.db.select().from(outbox).where(eq(outbox.kind, 'adminNews')).orderBy(outbox.turn)
  ).map(({ bodyText }) => bodyText);
const minutes = (n: number) => market.clock.advance({ minutes: n });

test('admins are told what waits, in their chats alone, and of nothing where nothing waits', async () => {
  expect(await tell()).toBe(0);
  await grant(market, member, 2);
  await submitted(market, seller);
  const { reference } = await publishPost(
    await market.ctx(member),
    newPost.parse({ title: 'A driver', description: 'To Kribi', category: 'other' }),
    'a key of a post',
  );
  await reportPost(await market.ctx(seller), reference, { reason: 'fraud', note: undefined });
  // The second admin has no chat, and no mail goes out.
  expect(await tell()).toBe(1);
  expect(await news()).toEqual([
    'There is something to decide\n\nProducts and changes to review: 1\n\nReported listings and posts: 1',
  ]);
});

test('they are told in batches: of new work alone, and at most once in a quarter of an hour', async () => {
  const { id } = await submitted(market, seller);
  expect((await Promise.all([tell(), tell()])).sort()).toEqual([0, 1]);
  minutes(5);
  await submitted(market, seller);
  expect(await tell()).toBe(0);
  minutes(10);
  expect(await tell()).toBe(1);
  expect((await news())[1]).toContain('review: 2');
  minutes(60);
  expect(await tell()).toBe(0);
  await approve(await market.ctx(admin), id);
  expect(await tell()).toBe(0);
  await submitted(market, seller);
  expect(await tell()).toBe(1);
});

test('each can switch it off, and whoever has lost the second factor is told nothing', async () => {
  await chatting(market, { person: second, address: 'another' });
  await submitted(market, seller);
  await switchNotification(await market.ctx(second), 'adminNews', false);
  expect(await tell()).toBe(1);
  minutes(20);
  await submitted(market, seller);
  await market.db.delete(secondFactors).where(eq(secondFactors.userId, admin.userId));
  expect(await tell()).toBe(0);
});

test('the switch is an admin’s: nobody else sees that there is such a thing', async () => {
  const kinds = async (who: typeof admin) =>
    (await ownSwitches(await market.ctx(who))).map(({ kind }) => kind);
  expect(await kinds(admin)).toEqual([
    'postResponse',
    'creditsPurchased',
    'adminNews',
    'paymentInitiated',
    'alertFits',
    'favouritesEndSoon',
  ]);
  expect(await kinds(seller)).not.toContain('adminNews');
  expect(await kinds(member)).toEqual([
    'postResponse',
    'creditsPurchased',
    'paymentInitiated',
    'alertFits',
    'favouritesEndSoon',
  ]);
});
