import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { generateSignedCookie } from 'hono/cookie';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeSetting } from '../../api/core/settings.ts';
import type { SettingName } from '../../api/settings/schema.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { actors, signInAdmin } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { answerTo } from '../support/question.ts';
import { rawRows } from '../support/rows.ts';
import { plain } from '../support/text.ts';

/** Decision 028, at the doors: who keeps no cookie cannot collect the sellers' numbers. */
const market = await testApp();
const { admin, seller } = await actors(market);
const { contactRequests, contactChallenges, auditLog, products, engagementEvents } = schema;
const rows = rawRows(market.sql);
let ids: string[] = [];

const fillMarket = async (live: number) => {
  ids = [];
  for (let slot = 1; slot <= live; slot++) {
    const id = await rows.placed(slot);
    await market.db
      .update(products)
      .set({ sellerWhatsapp: `+2376990${20000 + slot}`, name: { en: `Thing ${slot}` } })
      .where(eq(products.id, id));
    ids.push(id);
  }
};
const set = async (name: SettingName, value: number) => writeSetting(await market.ctx(admin), name, value);

type Details = { token: string; question: string; seconds: number };
type Body = { error: { code: string; message: string; details?: Details } } & { seller_whatsapp: string }[];
type Input = { as?: Caller; address?: string; language?: Language; reply?: { token: string; answer: string } };
const contact = async (id: string, { reply = undefined, ...options }: Input = {}) =>
  market.call<Body>(`/api/products/${id}/contact`, { json: { consent: true, ...reply }, ...options });
const codeOf = ({ status, body }: { status: number; body: Body }) => (status === 200 ? 'kept' : body.error.code);
const number = (n: number) => ids[n % ids.length] ?? '';

/** A visitor with a cookie that the market made a moment ago. */
const newcomer = async (address?: string): Promise<Caller> => {
  const caller = { jar: new Jar() };
  const { status } = await market.request('/api/engagement', {
    json: { slotId: 1, productId: number(0), type: 'view' },
    as: caller,
    ...(address ? { address } : {}),
  });
  expect([status, caller.jar.has('visitor')]).toEqual([202, true]);
  return caller;
};
/** The same, a minute later: somebody who looked around. */
const lookers = async (count: number, address?: string): Promise<Caller[]> => {
  const callers: Caller[] = [];
  for (let n = 0; n < count; n++) callers.push(await newcomer(address));
  wait(60);
  return callers;
};
/** A visitor whose first contact was a while ago, as the cookie says. */
const known = async (hours = 24): Promise<Caller> => {
  const since = Math.floor(market.clock.now().getTime() / 1000 - hours * 3600).toString(36);
  const jar = new Jar();
  jar.keep(new Headers({ 'set-cookie': await generateSignedCookie('visitor', `${randomUUID()}.${since}`, market.services.secret) }));
  return { jar };
};
const asked = async (id: string, options: Input = {}): Promise<Details> => {
  const answer = await contact(id, options);
  expect(codeOf(answer)).toBe('contact.challenge');
  return answer.body.error.details as Details;
};
const solve = (details: Details) => ({ token: details.token, answer: answerTo(details.question) });
const wait = (seconds: number) => market.clock.advance({ seconds });

beforeAll(() => expect(ids).toEqual([]));
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
    for (let n = 0; n < 30; n++) ended.push(codeOf(await contact(number(n), { as: await newcomer() })));
    expect(ended).toEqual([...Array(10).fill('kept'), ...Array(20).fill('contact.challenge')]);
  });

  test('that keeps its cookies and uses each as often as it may gets no more either', async () => {
    const cookies = await Promise.all(Array.from({ length: 4 }, () => newcomer()));
    const ended = [];
    for (const as of cookies) for (let n = 0; n < 10; n++) ended.push(codeOf(await contact(number(ended.length), { as })));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(10);
    market.clock.advance({ hours: 2 });
    // Two hours later those cookies are no better.
    await set('contactNewcomersFree', 0);
    for (const as of cookies) expect(codeOf(await contact(number(0), { as }))).toBe('contact.challenge');
  });

  test('all at once gets the first few', async () => {
    const cookies = await Promise.all(Array.from({ length: 30 }, () => newcomer()));
    const ended = await Promise.all(cookies.map(async (as, n) => codeOf(await contact(number(n), { as }))));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(10);
    expect(ended.filter((end) => end === 'contact.challenge')).toHaveLength(20);
  });

  test('with a forged cookie gets nothing', async () => {
    const jar = new Jar();
    const since = Math.floor(market.clock.now().getTime() / 1000 - 90_000).toString(36);
    jar.keep(new Headers({ 'set-cookie': await generateSignedCookie('visitor', `${randomUUID()}.${since}`, 'another key') }));
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
    // Beyond the share: a minute's wait, and then one at a time.
    const crowd = await Promise.all([5, 6, 7].map((n) => asked(number(n))));
    expect(crowd.map(({ seconds }) => seconds)).toEqual([60, 60, 60]);
    wait(60);
    const ended = await Promise.all(crowd.map((details, n) => contact(number(n + 5), { reply: solve(details) })));
    expect(ended.map(codeOf).sort()).toEqual(['contact.tooEarly', 'contact.tooEarly', 'kept']);
    const late = ended.findIndex((answer) => codeOf(answer) === 'contact.tooEarly');
    expect(ended[late]?.body.error.details?.seconds).toBe(60);
    expect((await market.call('/api/contact/limit')).body).toEqual({ allowed: true });
    // What newcomers of the address had already is no further number: those who looked around have it at once.
    for (const as of around) expect(codeOf(await contact(number(1), { as }))).toBe('kept');
    wait(60);
    expect(codeOf(await contact(number(late + 5), { reply: solve(crowd[late] as Details) }))).toBe('kept');
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
      Array.from({ length: 305 }, () => ({ ...(mine as typeof contactChallenges.$inferSelect), id: randomUUID(), askedAt: market.clock.now(), ...more }));
    await market.db.insert(contactChallenges).values(rows({}));
    await asked(number(1));
    const open = await market.db.select().from(contactChallenges);
    expect([open.length, open.some(({ id }) => id === mine?.id)]).toEqual([300, false]);
    // A question that made room is still good for one answer.
    const ended = await Promise.all([1, 2, 3].map(() => contact(number(0), { reply: solve(details) })));
    expect(ended.map(codeOf).sort()).toEqual(['contact.challenge', 'contact.challenge', 'kept']);
    const next = await asked(number(0));
    await market.db.insert(contactChallenges).values(rows({ outcome: 'wrong', answeredAt: market.clock.now() }));
    wait(60);
    expect(codeOf(await contact(number(0), { reply: { token: next.token, answer: 'no idea' } }))).toBe('contact.wrongAnswer');
    const left = await market.db.select().from(contactChallenges);
    expect(left.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(300);
    expect(left.filter(({ outcome }) => outcome === 'right')).toHaveLength(1);
  });
});

describe('a question', () => {
  test('is answered in the language of the page, and opens the way to the seller once', async () => {
    const details = await asked(number(0), { language: 'fr' });
    expect(details).toMatchObject({ seconds: 5 });
    expect(plain(details.question)).toMatch(/^(Combien font .* plus .* \?|Quel est le .* mot de cette liste : .* \?)$/);
    wait(5);
    const reply = solve(details);
    const answer = await contact(number(0), { reply });
    expect(answer).toMatchObject({ status: 200, body: [{ seller_whatsapp: '+237699020001' }] });
    expect(codeOf(await contact(number(0), { reply }))).toBe('contact.challenge');
    expect(await market.db.select().from(contactRequests)).toMatchObject([{ newcomer: true, productId: number(0) }]);
    expect(await market.db.select().from(engagementEvents)).toMatchObject([{ type: 'messageTap', productId: number(0) }]);
  });

  test('answered ten times at once opens it once', async () => {
    const details = await asked(number(0));
    wait(5);
    const reply = solve(details);
    const ended = await Promise.all(Array.from({ length: 10 }, async () => codeOf(await contact(number(0), { reply }))));
    expect(ended.filter((end) => end === 'kept')).toHaveLength(1);
    expect(ended.filter((end) => end === 'contact.challenge')).toHaveLength(9);
  });

  test('answered too early is the same question still, with the time that is left', async () => {
    const details = await asked(number(0));
    const reply = solve(details);
    wait(4.5);
    const early = await contact(number(0), { reply, language: 'en' });
    expect(codeOf(early)).toBe('contact.tooEarly');
    expect(early.body.error).toMatchObject({
      message: 'That was a little fast. Your answer is kept: send it again in 1 s.',
      details: { token: details.token, seconds: 1 },
    });
    // Neither does a wrong answer tell anything before its time.
    expect(codeOf(await contact(number(0), { reply: { ...reply, answer: 'wrong' } }))).toBe('contact.tooEarly');
    wait(0.5);
    expect(codeOf(await contact(number(0), { reply }))).toBe('kept');
  });

  test('is over after ten minutes', async () => {
    const details = await asked(number(0));
    const reply = solve(details);
    market.clock.advance({ minutes: 10 });
    const answer = await contact(number(0), { reply });
    expect(codeOf(answer)).toBe('contact.challenge');
    expect(answer.body.error.details?.token).not.toBe(details.token);
  });

  test('is good from its own address alone, and about its own product', async () => {
    const details = await asked(number(0));
    wait(5);
    const reply = solve(details);
    expect(codeOf(await contact(number(0), { reply, address: '10.0.0.2' }))).toBe('contact.challenge');
    expect(codeOf(await contact(number(1), { reply }))).toBe('contact.challenge');
    expect((await market.call(`/api/contact/question?token=${details.token}`, { address: '10.0.0.2' })).status).toBe(404);
    expect(codeOf(await contact(number(0), { reply }))).toBe('kept');
  });

  test('that nobody signed is none', async () => {
    const details = await asked(number(0));
    wait(5);
    const answer = answerTo(details.question);
    const { token: sealed } = details;
    const changed = (at: number) => sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    const forged = [sealed.slice(0, -4), `${sealed}AAAA`, changed(1), changed(100), changed(sealed.length - 5)];
    for (const token of [...forged, 'A'.repeat(200), '', '.', "' or 1=1"]) {
      expect(codeOf(await contact(number(0), { reply: { token, answer } })), token).toBe('contact.challenge');
    }
  });

  test('answered wrongly is used up; another one follows', async () => {
    const details = await asked(number(0));
    wait(5);
    const wrong = await contact(number(0), { reply: { token: details.token, answer: 'no idea' } });
    expect(codeOf(wrong)).toBe('contact.wrongAnswer');
    const next = wrong.body.error.details as Details;
    expect(next.token).not.toBe(details.token);
    expect(codeOf(await contact(number(0), { reply: solve(details) }))).toBe('contact.challenge');
    expect((await market.db.select().from(contactChallenges)).map(({ outcome }) => outcome).sort()).toEqual(['wrong', null, null].sort());
    wait(5);
    expect(codeOf(await contact(number(0), { reply: solve(next) }))).toBe('kept');
  });

  test('takes longer with wrong answers, not with open questions', async () => {
    const seconds = [];
    // Open questions count for nothing.
    for (let n = 0; n < 25; n++) seconds.push((await asked(number(n))).seconds);
    expect(new Set(seconds)).toEqual(new Set([5]));
    for (let n = 0; n < 20; n++) {
      const { token } = await asked(number(n));
      wait(5);
      expect(codeOf(await contact(number(n), { reply: { token, answer: 'x' } }))).toBe('contact.wrongAnswer');
    }
    expect((await asked(number(0))).seconds).toBe(10);
    // Those who looked around wait for their own kind alone.
    await set('contactNewcomersFree', 0);
    const [as] = await lookers(1);
    expect((await asked(number(0), { as: as as Caller })).seconds).toBe(5);
  });

  test('is not put about what cannot be contacted, nor without consent', async () => {
    expect(codeOf(await contact(randomUUID()))).toBe('contact.notAvailable');
    const without = await market.call<Body>(`/api/products/${number(0)}/contact`, { json: { consent: false } });
    expect(codeOf(without)).toBe('contact.consentRequired');
    expect(await market.db.select().from(contactChallenges)).toEqual([]);
  });
});

describe('questions that are left open', () => {
  test('close an address for nobody: five newcomers after 400 of them are served', async () => {
    for (const as of [await newcomer(), await newcomer()]) for (let n = 0; n < 10; n++) await contact(number(n), { as });
    await Promise.all(Array.from({ length: 400 }, (_, n) => contact(number(n))));
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
    // One answer opens one way, whichever page it is given on.
    const answer = answerTo(first.question);
    expect(codeOf(await contact(number(1), { as, reply: { token: elsewhere.token, answer } }))).toBe('kept');
    expect(codeOf(await contact(number(0), { as, reply: { token: first.token, answer } }))).toBe('contact.challenge');
  });
});

describe('honest people', () => {
  test('with a cookie are not asked at all while they are few, and known a day after their first contact', async () => {
    const person = await newcomer();
    expect(codeOf(await contact(number(0), { as: person }))).toBe('kept');
    await set('contactNewcomersFree', 0);
    expect(codeOf(await contact(number(1), { as: person }))).toBe('contact.challenge');
    market.clock.advance({ hours: 23, minutes: 59 });
    await market.sql`update slots set end_time = end_time + interval '9 days'`;
    expect(codeOf(await contact(number(1), { as: person }))).toBe('contact.challenge');
    market.clock.advance({ minutes: 1 });
    expect(codeOf(await contact(number(1), { as: person }))).toBe('kept');
  });

  test('of a whole town behind one address are served in one hour, while a harvest goes on there', async () => {
    for (let n = 0; n < 40; n++) await contact(number(n));
    const ended: string[] = [];
    for (let n = 0; n < 300; n += 20) {
      const batch = await Promise.all(Array.from({ length: 20 }, () => known()));
      ended.push(...(await Promise.all(batch.map(async (as, m) => codeOf(await contact(number(n + m), { as }))))));
    }
    expect(ended).toHaveLength(300);
    expect(new Set(ended)).toEqual(new Set(['kept']));
  }, 60_000);

  test('who are known keep their own limit', async () => {
    const person = await known();
    for (let n = 0; n < 10; n++) expect(codeOf(await contact(number(n), { as: person }))).toBe('kept');
    expect(codeOf(await contact(number(11), { as: person }))).toBe('contact.rateLimited');
  });

  test('who are signed in are counted by their account, whatever cookies they keep', async () => {
    await set('contactNewcomersPerHour', 0);
    const session = seller.jar.copy();
    for (let n = 0; n < 10; n++) {
      // The session alone: no visitor's cookie comes back.
      expect(codeOf(await contact(number(n), { as: { jar: session.copy() } }))).toBe('kept');
    }
    expect(codeOf(await contact(number(11), { as: { jar: session.copy() } }))).toBe('contact.rateLimited');
    expect(new Set((await market.db.select().from(contactRequests)).map(({ visitor, newcomer: is }) => `${visitor} ${is}`))).toEqual(
      new Set([`account:${seller.userId} false`]),
    );
  });
});

describe('the alarm', () => {
  const alarms = async () => (await market.db.select().from(auditLog)).filter(({ action }) => action === 'contact.harvest');

  test('tells every admin once, by mail and in the audit log, and names no address', async () => {
    const second = await signInAdmin(market, { language: 'fr' });
    for (let n = 0; n < 10; n++) await contact(number(n));
    expect(await alarms()).toEqual([]);
    for (let n = 10; n < 30; n++) await contact(number(n));
    const [line, ...more] = await alarms();
    expect(more).toEqual([]);
    expect(line).toMatchObject({ subjectKind: 'address', actorKind: 'visitor', after: { products: 11, live: 30 } });
    expect(line?.subjectId).toMatch(/^[0-9a-f]{32}$/);
    const mail = await market.mails.lastTo(admin.email);
    expect(mail.subject).toBe('Somebody may be collecting sellers’ numbers');
    expect(mail.text).toContain(line?.subjectId);
    expect(mail.text).toContain('/admin/audit?subjectKind=address');
    expect((await market.mails.lastTo(second.email)).subject).toBe('Quelqu’un collecte peut-être les numéros des vendeurs');
    expect(await market.mails.allTo(admin.email)).toHaveLength(1);
    expect(JSON.stringify([mail, market.logged, await alarms()])).not.toMatch(/10\.0\.0\.1|69902\d{4}/);
  });

  test('comes again after six hours, and for another address at once', async () => {
    const harvest = async (address: string) => {
      for (let n = 0; n < 12; n++) await contact(number(n), { address });
    };
    await harvest('10.0.0.1');
    await harvest('10.0.0.2');
    expect(await alarms()).toHaveLength(2);
    market.clock.advance({ hours: 5 });
    await harvest('10.0.0.1');
    expect(await alarms()).toHaveLength(2);
    market.clock.advance({ hours: 1, minutes: 1 });
    await harvest('10.0.0.1');
    expect(await alarms()).toHaveLength(3);
  });

  test('does not come for a town of known visitors, nor for many who ask for few products', async () => {
    for (let n = 0; n < 30; n++) await contact(number(n), { as: await known() });
    for (let n = 0; n < 30; n++) await contact(number(n % 9));
    expect(await alarms()).toEqual([]);
  });

  test('comes for numbers that were given, too', async () => {
    await set('contactNewcomersFree', 100);
    for (let n = 0; n < 12; n++) await contact(number(n), { as: await newcomer() });
    expect(await alarms()).toHaveLength(1);
  });
});

describe('without a script', () => {
  const post = (form: Record<string, string>, language: Language = 'en', as?: Caller) =>
    market.request(`/contact/${number(0)}`, { form, language, ...(as ? { as } : {}) });
  const tokenIn = (response: Response) => new URL(response.headers.get('location') ?? '', 'http://market.test').searchParams.get('token') ?? '';

  test('the form leads to a page with the question, and from there to WhatsApp', async () => {
    const first = await post({ consent: 'yes', slot: '1' }, 'fr');
    expect([first.status, first.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/fr\/contact\/question\?token=[^&]+&slot=1$/)]);
    const token = tokenIn(first);
    const { body } = await market.call<Details & { name: string }>(`/api/contact/question?token=${token}`, { language: 'fr' });
    expect(body).toMatchObject({ token, seconds: 5, name: 'Thing 1' });
    const answer = answerTo(body.question);
    const early = await post({ consent: 'yes', slot: '1', token, answer });
    expect(early.headers.get('location')).toBe(`/en/contact/question?${new URLSearchParams({ token, slot: '1', said: 'tooEarly', answer })}`);
    wait(5);
    const wrong = await post({ consent: 'yes', slot: '1', token, answer: 'x' });
    expect(wrong.headers.get('location')).toMatch(/&slot=1&said=wrongAnswer$/);
    wait(5);
    const next = tokenIn(wrong);
    const { body: put } = await market.call<Details>(`/api/contact/question?token=${next}`);
    const over = await post({ consent: 'yes', slot: '1', token: next, answer: answerTo(put.question) });
    expect(over.headers.get('location')).toMatch(/^https:\/\/wa\.me\/237699020001\?text=/);
  });

  test('the form with a cookie leads straight to WhatsApp, and its cookie then knows of the contact', async () => {
    const person = await newcomer();
    const before = person.jar.header();
    expect((await post({ consent: 'yes', slot: '1' }, 'en', person)).headers.get('location')).toMatch(/^https:\/\/wa\.me\//);
    expect(person.jar.header()).not.toBe(before);
    const kept = person.jar.header();
    await post({ consent: 'yes', slot: '1' }, 'en', person);
    expect(person.jar.header()).toBe(kept);
  });

  test('the form without consent is no contact, with an answer or without', async () => {
    const details = await asked(number(0));
    wait(5);
    const response = await post({ slot: '1', ...solve(details) });
    expect(response.headers.get('location')).toBe('/en/shop/slot/1?contact=consentRequired');
  });
});
