import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { addAlert } from '../../../api/alerts/add.ts';
import { changeAlert } from '../../../api/alerts/change.ts';
import { chooseChannel } from '../../../api/alerts/chooseChannel.ts';
import { endFromMail, endToken } from '../../../api/alerts/endFromMail.ts';
import { ownAlerts, ownChannels } from '../../../api/alerts/reads.ts';
import { endLimit, mostAlerts, nextMorning, type Pace } from '../../../api/alerts/rules.ts';
import type { AlertAct } from '../../../api/alerts/schema.ts';
import { tellAlerts } from '../../../api/alerts/tell.ts';
import { mailPost } from '../../../api/outbox/delivery.ts';
import { mostADay } from '../../../api/people/daily.ts';
import { relist } from '../../../api/products/relist.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpMember, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, runQueue, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` } });
const { visitor, member, seller, otherSeller, admin } = await actors(market);
const { alertHits, alerts, outbox } = schema;
beforeEach(() => market.reset());

const add = async (person: Person, search: string, pace: Pace = 'now', shop = '') =>
  addAlert(await market.ctx(person), { search, shop, pace });
const tell = () => tellAlerts(market.job('tell-alerts'));
const letters = () => market.db.select().from(outbox).where(eq(outbox.kind, 'alertFits'));
const hits = () => market.db.$count(alertHits);
const minute = () => market.clock.advance({ minutes: 1 });
const phone = {
  name: { en: 'Phone Tecno', fr: 'Téléphone Tecno' },
  price: 45_000,
  sellerLocation: 'Douala, Littoral',
};

test('the next morning is 8:05 in Douala, the next week’s a Monday’s', () => {
  const next = (at: string, pace: 'day' | 'week') => nextMorning(new Date(at), pace).toISOString();
  expect(next('2026-11-24T07:04:59Z', 'day')).toBe('2026-11-24T07:05:00.000Z');
  expect(next('2026-11-24T07:05:00Z', 'day')).toBe('2026-11-25T07:05:00.000Z');
  expect(next('2026-11-24T07:00:00Z', 'week')).toBe('2026-11-30T07:05:00.000Z');
  expect(next('2026-11-30T07:00:00Z', 'week')).toBe('2026-11-30T07:05:00.000Z');
});

describe('an alert', () => {
  test('is one of each search, however it is written, and one of each shop', async () => {
    await add(member, 'q=Phone&max=50000&sort=price&page=3&soon=1');
    await add(member, 'max=50+000&q=Phone', 'week');
    const own = await ownAlerts(await market.ctx(member));
    expect(own).toMatchObject([
      {
        name: expect.stringMatching(/^“Phone” · up to XAF\s50,000$/),
        pace: 'week',
        paused: false,
        path: '/market?q=Phone&max=50000',
      },
    ]);
    expect(await ownAlerts(await market.ctx(seller))).toEqual([]);
    await refused(add(visitor as never, 'q=phone'), 'signInRequired');
  });

  test('needs something that not every listing fits, and keeps the beginning of a long search', async () => {
    for (const search of ['', 'q=%21%21%21', 'sort=price', 'soon=1', 'category=nothing'])
      await refused(add(member, search), 'alerts.empty');
    await refused(add(member, '', 'now', 'no-such-shop'), 'sellers.shopNotFound');
    await add(member, `q=${'phone '.repeat(400)}`);
    const [own] = await ownAlerts(await market.ctx(member));
    expect(own?.path?.length).toBeLessThan(300);
  });

  test(`has ${mostAlerts - 1} beside it at most, also when two come at once`, async () => {
    const at = market.clock.now();
    await market.db.insert(alerts).values(
      Array.from({ length: mostAlerts - 1 }, (_, n) => ({
        ...{ userId: member.userId, query: `?q=w${n}`, pace: 'now' as const, madeAt: at },
      })),
    );
    const both = await Promise.allSettled([add(member, 'q=one'), add(member, 'q=two')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await refused(add(member, 'q=three'), 'alerts.tooMany');
    await add(member, 'q=w7', 'day');
  });

  test('is changed and ended by its person alone; what another device ended stays ended', async () => {
    await add(member, 'q=phone');
    const [{ id } = { id: '' }] = await ownAlerts(await market.ctx(member));
    const change = async (as: Person, act: AlertAct['act'], pace: Pace = 'now') =>
      changeAlert(await market.ctx(as), id, { act, pace });
    await change(seller, 'end');
    await change(member, 'pause');
    expect(await ownAlerts(await market.ctx(member))).toMatchObject([{ paused: true }]);
    await change(member, 'resume');
    await change(member, 'pace', 'day');
    expect(await ownAlerts(await market.ctx(member))).toMatchObject([
      { paused: false, pace: 'day' },
    ]);
    await change(member, 'end');
    await change(member, 'pace');
    expect(await ownAlerts(await market.ctx(member))).toEqual([]);
  });

  test('ends by the token of its mail, and an unknown one is answered alike', async () => {
    await add(member, 'q=phone');
    await add(member, 'q=radio');
    const own = await ownAlerts(await market.ctx(member));
    const [first, second] = own.map(({ id }) => endToken(market, id));
    const ctx = await market.ctx(visitor);
    for (const token of ['', 'x', `${own[0]?.id}.`, `${own[0]?.id}.${second?.split('.')[1]}`])
      expect(await endFromMail(ctx, token)).toBeUndefined();
    expect(await market.db.$count(alerts)).toBe(2);
    expect(await endFromMail(ctx, first ?? '')).toBeUndefined();
    expect(await endFromMail(ctx, first ?? '')).toBeUndefined();
    expect(await ownAlerts(await market.ctx(member))).toMatchObject([{ id: own[1]?.id }]);
    for (let n = 6; n < endLimit.max; n++) await endFromMail(ctx, 'x');
    await refused(endFromMail(ctx, second ?? ''), 'tooManyRequests');
  });
});

describe('a listing that goes live', () => {
  test('is told once to each alert that it fits, with price, place, photo and the way to end it', async () => {
    await add(member, 'q=telephone&max=50000&region=littoral');
    minute();
    await submitted(market, seller, phone);
    await tell();
    expect(await hits()).toBe(0);
    await live(market, seller, admin, phone);
    expect(await tell()).toEqual({ told: 1 });
    minute();
    expect(await tell()).toEqual({ told: 0 });
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ userId: member.userId, channel: 'email' });
    expect(letter?.subject).toMatch(/^New in the market: “telephone”/);
    expect(letter?.bodyText).toMatch(/Phone Tecno · XAF\s45,000 · Douala, Littoral/);
    expect(letter?.bodyText).toMatch(/\/en\/shop\/11\/phone-tecno-/);
    expect(letter?.bodyHtml).toMatch(
      /<img src="http:\/\/market\.test\/media\/products\/[\w-]+-\d+\.webp"/,
    );
    const [own] = await ownAlerts(await market.ctx(member));
    const token = endToken(market, own?.id ?? '');
    expect(letter?.bodyText).toContain(`/en/alerts/end/${token}`);
    expect(letter?.unsubscribe).toBe(`http://market.test/alerts/end/${token}`);
  });

  test.each([
    ['q=fridge', false],
    ['q=tecno phone', true],
    ['category=electronics', true],
    ['category=fashion', false],
    ['region=littoral', true],
    ['region=centre', false],
    ['min=45000', true],
    ['min=45001', false],
    ['max=44999', false],
    ['lane=standard', true],
    ['lane=premium', false],
    ['verified=1', false],
  ])('is searched as the market is: %s %s', async (search, fits) => {
    await add(member, search);
    await live(market, seller, admin, phone);
    await tell();
    expect(await hits()).toBe(fits ? 1 : 0);
  });

  test('is not told to its own seller, to a paused alert, or when it returns', async () => {
    await add(seller, 'q=phone');
    await add(member, 'q=phone');
    const [{ id } = { id: '' }] = await ownAlerts(await market.ctx(member));
    await changeAlert(await market.ctx(member), id, { act: 'pause', pace: 'now' });
    const product = await live(market, seller, admin, { ...phone, durationHours: 24 });
    await tell();
    expect(await hits()).toBe(0);
    await changeAlert(await market.ctx(member), id, { act: 'resume', pace: 'now' });
    market.clock.set(product.endTime);
    await runQueue(market);
    await relist(await market.ctx(seller), product.id);
    await runQueue(market);
    await tell();
    expect(await hits()).toBe(0);
  });

  test('of a shop is told to who follows it, and of a closed shop to nobody', async () => {
    const shop = { businessName: 'Akwa Phones' };
    await market.db
      .update(schema.sellers)
      .set(shop)
      .where(eq(schema.sellers.id, otherSeller.sellerId ?? ''));
    const [slug] =
      await market.sql`insert into shop_slugs (slug, seller_id, taken_at) values ('akwa-phones', ${otherSeller.sellerId ?? ''}, now()) on conflict do nothing returning slug`;
    await add(member, '', 'now', (slug?.slug as string) ?? 'akwa-phones');
    await live(market, seller, admin);
    await live(market, otherSeller, admin, phone);
    expect(await tell()).toEqual({ told: 1 });
    expect(await ownAlerts(await market.ctx(member))).toMatchObject([
      { name: 'Akwa Phones', path: '/shops/akwa-phones' },
    ]);
    const { id } = await approved(market, otherSeller, admin, phone);
    await suspend(market, otherSeller);
    await runQueue(market);
    await tell();
    expect(await hits()).toBe(1);
    await unsuspend(market, otherSeller);
    expect(id).toBeTruthy();
  });

  test('waits for the morning of a slower alert, then comes with the others in one message', async () => {
    await add(member, 'q=phone', 'day');
    await live(market, seller, admin, phone);
    await tell();
    minute();
    await live(market, seller, admin, {
      ...phone,
      name: { en: 'Phone Itel', fr: 'Téléphone Itel' },
    });
    expect(await tell()).toEqual({ told: 0 });
    market.clock.set(nextMorning(market.clock.now(), 'day'));
    expect(await tell()).toEqual({ told: 1 });
    const [letter] = await letters();
    expect(letter?.bodyText).toMatch(/Phone Tecno .*\nPhone Itel /);
    expect(letter?.bodyText).toContain('/en/market?q=phone&sort=newest\n');
  });

  test('that has ended meanwhile is not told', async () => {
    await add(member, 'q=phone', 'week');
    await live(market, seller, admin, { ...phone, durationHours: 24 });
    await tell();
    market.clock.set(nextMorning(market.clock.now(), 'week'));
    await runQueue(market);
    expect(await tell()).toEqual({ told: 0 });
    expect(await letters()).toEqual([]);
  });

  test('is told in a linked chat with its photo, and waits a day after three messages', async () => {
    const person = await signUpMember(market);
    const { keyHash } = await chatting(market, { person, language: 'en' });
    await add(person, 'q=phone');
    for (let n = 0; n <= mostADay; n++) {
      minute();
      await live(market, n < 2 ? seller : otherSeller, admin, phone);
      await tell();
    }
    expect((await letters()).length).toBe(mostADay);
    for (const letter of await letters()) {
      expect(letter).toMatchObject({ channel: 'telegram', recipient: keyHash, unsubscribe: null });
      expect(letter.sealed).not.toBeNull();
    }
    market.clock.set(nextMorning(market.clock.now(), 'day'));
    expect(await tell()).toEqual({ told: 1 });
  });

  test('fits no alert of a person who was deleted, and none of a mailbox that refused one', async () => {
    const person = await signUpMember(market);
    await add(person, 'q=phone');
    await add(member, 'q=phone');
    await live(market, seller, admin, phone);
    await tell();
    await market.sql`delete from "user" where id = ${person.userId}`;
    await market.db
      .update(outbox)
      .set({ state: 'failed', fault: 'recipient' })
      .where(eq(outbox.userId, member.userId));
    await tell();
    expect(await market.db.$count(alerts)).toBe(0);
  });
});

describe('the channel of an alert', () => {
  const channels = async () => (await letters()).map(({ channel }) => channel);
  const failed = (fault: 'recipient' | null = null) =>
    market.db.update(outbox).set({ state: 'failed', fault }).where(eq(outbox.kind, 'alertFits'));

  test('is the one that its person chose, of those that they have', async () => {
    const person = await signUpMember(market);
    const ctx = await market.ctx(person);
    expect(await ownChannels(ctx)).toEqual({
      channels: ['email'],
      chosen: 'email',
      silent: false,
    });
    await chatting(market, { person, language: 'en' });
    expect(await ownChannels(ctx)).toMatchObject({
      channels: ['telegram', 'email'],
      chosen: 'telegram',
    });
    await chooseChannel(ctx, 'email');
    expect(await ownChannels(ctx)).toMatchObject({ chosen: 'email' });
    await add(person, 'q=phone');
    await live(market, seller, admin, phone);
    await tell();
    expect(await channels()).toEqual(['email']);
    await chooseChannel(ctx, 'whatsapp');
    expect(await ownChannels(ctx)).toMatchObject({ chosen: 'telegram' });
  });

  test('is the next one once it failed, which tells what did not arrive', async () => {
    const person = await signUpMember(market);
    await chatting(market, { person, language: 'en' });
    await add(person, 'q=phone');
    await live(market, seller, admin, phone);
    await tell();
    expect(await channels()).toEqual(['telegram']);
    minute();
    expect(await tell()).toEqual({ told: 0 });
    await failed();
    expect(await tell()).toEqual({ told: 1 });
    expect((await channels()).toSorted()).toEqual(['email', 'telegram']);
    minute();
    expect(await tell()).toEqual({ told: 0 });
  });

  test('is not tried again where there is no other, and a mailbox with a chat beside it keeps its alerts', async () => {
    await add(member, 'q=phone');
    await live(market, seller, admin, phone);
    await tell();
    await failed();
    minute();
    expect(await tell()).toEqual({ told: 0 });
    expect(await market.db.$count(alerts)).toBe(1);
    await chatting(market, { person: member, language: 'en' });
    await failed('recipient');
    expect(await tell()).toEqual({ told: 1 });
    expect((await channels()).toSorted()).toEqual(['email', 'telegram']);
  });
});

test('a mail of an alert carries the address of its one click', async () => {
  await add(member, 'q=phone');
  await live(market, seller, admin, phone);
  await tell();
  const [letter] = await letters();
  const sent: unknown[] = [];
  const job = market.job('deliver');
  const services = {
    ...job.services,
    mailer: { send: async (mail: unknown) => void sent.push(mail), close() {} },
  };
  await mailPost.send({ ...job, services }, letter as never, new AbortController().signal);
  expect(sent).toMatchObject([{ unsubscribe: letter?.unsubscribe }]);
});
