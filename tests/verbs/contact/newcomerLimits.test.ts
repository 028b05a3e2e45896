import { randomUUID } from 'node:crypto';
import { generateSignedCookie } from 'hono/cookie';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { contactingIn, type Details } from '../../support/contacting.ts';
import { Jar } from '../../support/jar.ts';
import { answerTo } from '../../support/question.ts';

/** Decisions 028 and 059, over HTTP: limits on an address's newcomers. */
const market = await testApp();
const { admin } = await actors(market);
const { contactRequests, contactChallenges } = schema;
const { fillMarket, set, contact, codeOf, number, newcomer, lookers, known, asked, solve, wait } =
  contactingIn(market, admin);

beforeEach(async () => {
  await market.reset();
  await fillMarket(30);
});

describe('a harvest', () => {
  test('without cookies gets nothing, however often it asks', async () => {
    const ended = [];
    for (let n = 0; n < 60; n++) ended.push(codeOf(await contact(number(n))));
    expect(new Set(ended)).toEqual(new Set(['contact.challenge']));
    expect(await market.db.select().from(contactRequests)).toEqual([]);
  });

  test('with a new cookie for each contact gets the first few, and no more', async () => {
    const ended = [];
    for (let n = 0; n < 30; n++)
      ended.push(codeOf(await contact(number(n), { as: await newcomer() })));
    expect(ended).toEqual([...Array(10).fill('kept'), ...Array(20).fill('contact.challenge')]);
  });

  test('that keeps its cookies and uses each as often as it may gets no more either', async () => {
    const cookies = await Promise.all(Array.from({ length: 4 }, () => newcomer()));
    const ended = [];
    for (const as of cookies)
      for (let n = 0; n < 10; n++) ended.push(codeOf(await contact(number(ended.length), { as })));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(10);
    market.clock.advance({ hours: 2 });
    // Two hours later those cookies still count as newcomers.
    await set('contactNewcomersFree', 0);
    for (const as of cookies)
      expect(codeOf(await contact(number(0), { as }))).toBe('contact.challenge');
  });

  test('all at once gets the first few', async () => {
    const cookies = await Promise.all(Array.from({ length: 30 }, () => newcomer()));
    const ended = await Promise.all(
      cookies.map(async (as, n) => codeOf(await contact(number(n), { as }))),
    );
    expect(ended.filter((end) => end === 'kept')).toHaveLength(10);
    expect(ended.filter((end) => end === 'contact.challenge')).toHaveLength(20);
  });

  test('with a forged cookie gets nothing', async () => {
    const jar = new Jar();
    const since = Math.floor(market.clock.now().getTime() / 1000 - 90_000).toString(36);
    jar.keep(
      new Headers({
        'set-cookie': await generateSignedCookie(
          'visitor',
          `${randomUUID()}.${since}`,
          'another key',
        ),
      }),
    );
    expect(codeOf(await contact(number(0), { as: { jar } }))).toBe('contact.challenge');
  });

  test('from one customer’s many IPv6 addresses is one harvest', async () => {
    await set('contactNewcomersFree', 6);
    const ended = [];
    for (let n = 0; n < 6; n++) {
      const address = `2001:db8:0:7::${n}`;
      ended.push(codeOf(await contact(number(n), { as: await newcomer(address), address })));
    }
    expect(ended.filter((end) => end === 'kept')).toHaveLength(3);
  });

  test('that answers all its questions takes turns beyond its share, and keeps nobody out who looked around', async () => {
    await set('contactNewcomersPerHour', 64);
    const around = [await known(), ...(await lookers(3))];
    for (let n = 0; n < 4; n++) {
      const details = await asked(number(n));
      wait(details.seconds);
      expect(codeOf(await contact(number(n), { reply: solve(details) }))).toBe('kept');
    }
    // Beyond the share: wait a minute, then one at a time.
    const crowd = await Promise.all([5, 6, 7].map((n) => asked(number(n))));
    expect(crowd.map(({ seconds }) => seconds)).toEqual([60, 60, 60]);
    wait(60);
    const ended = await Promise.all(
      crowd.map((details, n) => contact(number(n + 5), { reply: solve(details) })),
    );
    expect(ended.map(codeOf).sort()).toEqual(['contact.tooEarly', 'contact.tooEarly', 'kept']);
    const late = ended.findIndex((answer) => codeOf(answer) === 'contact.tooEarly');
    expect(ended[late]?.body.error.details?.seconds).toBe(60);
    expect((await market.call('/api/contact/limit')).body).toEqual({ allowed: true });
    // Numbers that the address already has cost nothing more: visitors who looked around get them
    // at once.
    for (const as of around) expect(codeOf(await contact(number(1), { as }))).toBe('kept');
    wait(60);
    expect(codeOf(await contact(number(late + 5), { reply: solve(crowd[late] as Details) }))).toBe(
      'kept',
    );
  });

  test('gets no further numbers but by turns, whatever cookies it keeps', async () => {
    await set('contactNewcomersPerHour', 64);
    const around = await lookers(8);
    const ended = [];
    for (const [n, as] of around.entries()) ended.push(codeOf(await contact(number(n), { as })));
    expect(ended).toEqual([...Array(4).fill('kept'), ...Array(4).fill('contact.challenge')]);
    wait(60);
    const [first, second] = [await asked(number(6)), await asked(number(7))];
    wait(60);
    expect(codeOf(await contact(number(6), { reply: solve(first) }))).toBe('kept');
    expect(codeOf(await contact(number(7), { reply: solve(second) }))).toBe('contact.tooEarly');
  });

  test('of wrong answers and open questions leaves a bounded number of rows', async () => {
    const details = await asked(number(0));
    const [mine] = await market.db.select().from(contactChallenges);
    wait(5);
    const rows = (more: object) =>
      Array.from({ length: 305 }, () => ({
        ...(mine as typeof contactChallenges.$inferSelect),
        id: randomUUID(),
        askedAt: market.clock.now(),
        ...more,
      }));
    await market.db.insert(contactChallenges).values(rows({}));
    await asked(number(1));
    const open = await market.db.select().from(contactChallenges);
    expect([open.length, open.some(({ id }) => id === mine?.id)]).toEqual([300, false]);
    // A question evicted by the cap still accepts one answer.
    const ended = await Promise.all(
      [1, 2, 3].map(() => contact(number(0), { reply: solve(details) })),
    );
    expect(ended.map(codeOf).sort()).toEqual(['contact.challenge', 'contact.challenge', 'kept']);
    const next = await asked(number(0));
    await market.db
      .insert(contactChallenges)
      .values(rows({ outcome: 'wrong', answeredAt: market.clock.now() }));
    wait(60);
    expect(
      codeOf(await contact(number(0), { reply: { token: next.token, answer: 'no idea' } })),
    ).toBe('contact.wrongAnswer');
    const left = await market.db.select().from(contactChallenges);
    expect(left.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(300);
    expect(left.filter(({ outcome }) => outcome === 'right')).toHaveLength(1);
  });
});

describe('questions that are left open', () => {
  test('close an address for nobody: five newcomers after 130 of them are served', async () => {
    // When open questions counted, three for each of these closed the address.
    await set('contactNewcomersPerHour', 40);
    await set('contactNewcomersFree', 0);
    for (const as of [await newcomer(), await newcomer()])
      for (let n = 0; n < 10; n++) await contact(number(n), { as });
    for (let n = 0; n < 130; n += 10)
      await Promise.all(Array.from({ length: 10 }, (_, m) => contact(number(n + m))));
    for (let n = 0; n < 5; n++) {
      const as = await newcomer();
      const details = await asked(number(n), { as });
      expect(details.seconds).toBeLessThanOrEqual(60);
      wait(details.seconds);
      expect(codeOf(await contact(number(n), { as, reply: solve(details) }))).toBe('kept');
    }
  });

  test('are put again, the same one, to the same cookie, and count once', async () => {
    await set('contactNewcomersFree', 0);
    const as = { jar: new Jar() };
    const first = await asked(number(0), { as });
    wait(2);
    const again = await asked(number(0), { as });
    expect(again).toEqual({ ...first, seconds: 3 });
    const elsewhere = await asked(number(1), { as });
    expect(elsewhere).toMatchObject({ question: first.question, seconds: 3 });
    expect(await market.db.select().from(contactChallenges)).toHaveLength(1);
    wait(3);
    // One answer works once, on any page.
    const answer = answerTo(first.question);
    expect(
      codeOf(await contact(number(1), { as, reply: { token: elsewhere.token, answer } })),
    ).toBe('kept');
    expect(codeOf(await contact(number(0), { as, reply: { token: first.token, answer } }))).toBe(
      'contact.challenge',
    );
  });
});
