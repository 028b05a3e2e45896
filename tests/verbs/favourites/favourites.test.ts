import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { tellMornings } from '../../../api/chats/morning.ts';
import { keep, moveToAccount } from '../../../api/favourites/keep.ts';
import { letGo } from '../../../api/favourites/letGo.ts';
import { favouriteCards, favouriteCodes } from '../../../api/favourites/reads.ts';
import { codesIn, mostKept, withCode } from '../../../api/favourites/rules.ts';
import { tellFavourites } from '../../../api/favourites/tell.ts';
import { mostADay } from '../../../api/people/daily.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, runQueue, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { endedRow, rawRows, stamp, started } from '../../support/rows.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` } });
const { visitor, member, seller, otherSeller, admin } = await actors(market);
const { favourites, outbox, user } = schema;
beforeEach(() => market.reset());

const code = (id: string) => id.slice(0, 8);
const keepAs = async (person: Person, ...ids: string[]) => {
  for (const id of ids) await keep(await market.ctx(person), code(id), []);
};
const keptBy = async (person: Person) => favouriteCodes(await market.ctx(person), []);
const states = async (person: Person) => {
  const { results, gone } = await favouriteCards(await market.ctx(person), []);
  return [...results.map(({ id, state }) => [code(id), state]), gone];
};

describe('what a browser keeps', () => {
  test('is read from its cookie without what is no code, at most fifty, the newest last', () => {
    expect(codesIn('')).toEqual([]);
    expect(codesIn('0000000a.<b>.0000000a.ABCDEF01.123.0000000b')).toEqual([
      '0000000a',
      '0000000b',
    ]);
    const many = Array.from({ length: 60 }, (_, n) => n.toString(16).padStart(8, '0'));
    expect(codesIn(many.join('.'))).toEqual(many.slice(-mostKept));
    expect(withCode(many.slice(0, mostKept), 'ffffffff')).toEqual([
      ...many.slice(1, mostKept),
      'ffffffff',
    ]);
    expect(withCode(['0000000a', '0000000b'], '0000000a')).toEqual(['0000000b', '0000000a']);
  });

  test('grows by what visitors can find alone, and writes no row', async () => {
    const { id } = await live(market, seller, admin);
    const waiting = await submitted(market, seller);
    const ctx = await market.ctx(visitor);
    expect(await keep(ctx, code(id), ['0000000a'])).toEqual(['0000000a', code(id)]);
    await refused(keep(ctx, code(waiting.id), []), 'products.notFound');
    await refused(keep(ctx, 'ffffffff', []), 'products.notFound');
    expect(await letGo(ctx, code(id), ['0000000a', code(id)])).toEqual(['0000000a']);
    expect(await letGo(ctx, 'gone', ['0000000a', code(id)])).toEqual([code(id)]);
    expect(await market.db.$count(favourites)).toBe(0);
  });

  test('of two listings with the same eight digits the one in a slot is meant', async () => {
    const raw = rawRows(market.sql);
    const { id } = await live(market, seller, admin);
    const twin = `${code(id)}-0000-4000-8000-000000000000`;
    await raw.begin(async (tx) => {
      await raw.product({ id: twin, ...stamp('approved') }, tx);
      await raw.listing(twin, { ...started(3), ...endedRow() }, tx);
    });
    expect(await market.db.$count(schema.findable)).toBe(2);
    const { results } = await favouriteCards(await market.ctx(visitor), [code(id)]);
    expect(results.map((result) => result.id)).toEqual([id]);
  });
});

describe('what an account keeps', () => {
  test('is kept once, and let go', async () => {
    const { id } = await live(market, seller, admin);
    await keepAs(member, id, id);
    expect(await keptBy(member)).toEqual([code(id)]);
    expect(await keptBy(seller)).toEqual([]);
    expect(await letGo(await market.ctx(seller), code(id), [])).toEqual([]);
    expect(await keptBy(member)).toEqual([code(id)]);
    expect(await letGo(await market.ctx(member), code(id), [])).toEqual([]);
  });

  test('shows the next to end on top, then what became of the others', async () => {
    const sold = await live(market, seller, admin);
    const ended = await live(market, seller, admin, { durationHours: 24 });
    const long = await live(market, otherSeller, admin, { durationHours: 120 });
    const short = await live(market, otherSeller, admin, { durationHours: 48 });
    const paused = await live(market, otherSeller, admin);
    await keepAs(member, sold.id, ended.id, long.id, short.id, paused.id);
    await markSold(await market.ctx(seller), sold.id);
    market.clock.advance({ hours: 24.1 });
    await runQueue(market);
    await pauseSlot(await market.ctx(admin), paused.slotId, paused.id);
    expect(await states(member)).toEqual([
      [code(short.id), 'live'],
      [code(long.id), 'live'],
      [code(ended.id), 'ended'],
      [code(sold.id), 'sold'],
      1,
    ]);
    expect(await letGo(await market.ctx(member), 'gone', [])).not.toContain(code(paused.id));
    expect((await states(member)).at(-1)).toBe(0);
  });

  test('drops the oldest beyond fifty, also from two phones at once', async () => {
    const one = await live(market, seller, admin);
    const other = await live(market, seller, admin);
    const raw = rawRows(market.sql);
    const old = [];
    for (let n = 0; n < mostKept; n++) old.push(await raw.queued(1024 * (n + 1)));
    const at = market.clock.now();
    await market.db.insert(favourites).values(
      old.map((productId, n) => ({
        userId: member.userId,
        productId,
        keptAt: new Date(at.getTime() - 1000 * (mostKept - n)),
      })),
    );
    const ctx = await market.ctx(member);
    await Promise.all([one, other].map(({ id }) => keep(ctx, code(id), [])));
    await keepAs(member, one.id);
    const kept = await keptBy(member);
    expect(kept).toHaveLength(mostKept);
    expect(kept).toEqual(expect.arrayContaining([code(one.id), code(other.id)]));
    expect(kept).not.toContain(code(old[0] ?? ''));
    expect(kept).toContain(code(old[2] ?? ''));
  });

  test('takes over what a browser kept, in its order, and goes with the account', async () => {
    const one = await live(market, seller, admin);
    const other = await live(market, seller, admin);
    const third = await live(market, seller, admin);
    const person = await signUpMember(market);
    await keepAs(person, one.id);
    market.clock.advance({ minutes: 1 });
    await moveToAccount(await market.ctx(person), person.userId, [
      'ffffffff',
      code(third.id),
      code(other.id),
      code(one.id),
    ]);
    expect(await keptBy(person)).toEqual([one, third, other].map(({ id }) => code(id)));
    await market.sql`delete from "user" where id = ${person.userId}`;
    expect(await market.db.$count(favourites)).toBe(0);
  });
});

describe('the last day of a favourite', () => {
  const tell = () => tellFavourites(market.job('tell-favourites'));
  const letters = () => market.db.select().from(outbox).where(eq(outbox.kind, 'favouritesEndSoon'));

  const rowOf = ({ userId }: Person, kind: string, at: Date) => ({
    ...{ channel: 'email' as const, recipient: 'x@example.org', language: 'en' as const, kind },
    ...{ subject: '', bodyText: '', bodyHtml: '', userId, nextAttemptAt: at, createdAt: at },
  });

  test('is told once in one message, to whoever kept it, never to its seller', async () => {
    const day = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ minutes: 1 });
    const also = await live(market, seller, admin, {
      durationHours: 24,
      name: { en: 'Wax cloth', fr: 'Pagne' },
    });
    const later = await live(market, seller, admin, { durationHours: 72 });
    await keepAs(member, day.id, also.id, later.id);
    await keepAs(seller, day.id);
    expect(await tell()).toEqual({ told: 1 });
    expect(await tell()).toEqual({ told: 0 });
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ userId: member.userId, channel: 'email' });
    expect(letter?.bodyText).toMatch(/Samsung Galaxy A14.*until .*\n.*Wax cloth.*until/s);
    expect(letter?.bodyText).toContain('/favourites');
  });

  test('is told anew when its end is put off, and not while it is paused', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    await keepAs(member, id);
    await pauseSlot(await market.ctx(admin), slotId, id);
    expect(await tell()).toEqual({ told: 0 });
    await market.reset();
    const again = await live(market, seller, admin, { durationHours: 24 });
    await keepAs(member, again.id);
    expect(await tell()).toEqual({ told: 1 });
    await editSlot(await market.ctx(admin), again.slotId, {
      productId: again.id,
      durationHours: 48,
    });
    expect(await tell()).toEqual({ told: 0 });
    market.clock.advance({ hours: 30 });
    expect(await tell()).toEqual({ told: 1 });
  });

  test('is not told to whoever switched it off, and is not forgotten for tomorrow', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    await keepAs(member, id);
    await switchNotification(await market.ctx(member), 'favouritesEndSoon', false);
    expect(await tell()).toEqual({ told: 0 });
    await switchNotification(await market.ctx(member), 'favouritesEndSoon', true);
    expect(await tell()).toEqual({ told: 1 });
  });

  test(`waits for the next day once a person had ${mostADay} messages, the morning’s among them`, async () => {
    const { id } = await live(market, seller, admin, { durationHours: 48 });
    await keepAs(member, id);
    // 22:30 in Douala.
    market.clock.set(new Date('2026-11-24T21:30:00Z'));
    await market.db
      .insert(outbox)
      .values(
        ['morningMessage', 'favouritesEndSoon', 'favouritesEndSoon', 'creditsPurchased'].map(
          (kind) => rowOf(member, kind, market.clock.now()),
        ),
      );
    market.clock.advance({ hours: 1 });
    expect(await tell()).toEqual({ told: 0 });
    market.clock.advance({ minutes: 40 });
    expect(await tell()).toEqual({ told: 1 });
  });

  test('goes to a chat alone where there is one, and nowhere once STOP was written there', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    const person = await signUpMember(market);
    await keepAs(person, id);
    const chat = await chatting(market, { person, language: 'en' });
    await chat.say('stop');
    expect(await tell()).toEqual({ told: 0 });
    await chat.say('notifications on');
    expect(await tell()).toEqual({ told: 1 });
    expect(await letters()).toMatchObject([{ channel: 'telegram', recipient: chat.keyHash }]);
  });

  test('is not told to somebody who asked to be deleted, unless they stay', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    const person = await signUpMember(market);
    await keepAs(person, id);
    const leaves = (at: Date | null) =>
      market.db.update(user).set({ leavingAt: at }).where(eq(user.id, person.userId));
    await leaves(market.clock.now());
    expect(await tell()).toEqual({ told: 0 });
    await leaves(null);
    expect(await tell()).toEqual({ told: 1 });
  });

  test('leaves the morning’s message its place, which is not sent as a fourth', async () => {
    await live(market, seller, admin, { durationHours: 120 });
    const chat = await chatting(market, { person: seller, language: 'en' });
    await chat.say('each morning on');
    const at = market.clock.now();
    await market.db
      .insert(outbox)
      .values(Array.from({ length: mostADay }, () => rowOf(seller, 'favouritesEndSoon', at)));
    const mornings = () => tellMornings(market.job('tell-mornings'));
    expect(await mornings()).toEqual({ told: 0 });
    market.clock.advance({ days: 1 });
    expect(await mornings()).toEqual({ told: 1 });
    const [row] = await market.db.select().from(outbox).where(eq(outbox.kind, 'morningMessage'));
    expect(row?.userId).toBe(seller.userId);
  });
});
