import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../db/client.ts';
import type { Language } from '../../../locales/languages.ts';
import { actors, signInAdmin } from '../../support/actors.ts';
import { type Caller, testApp } from '../../support/app.ts';
import { type ContactBody, contactingIn, type Details } from '../../support/contacting.ts';
import { answerTo } from '../../support/question.ts';
import { plain } from '../../support/text.ts';

/** Decision 028, over HTTP: the question before a seller's number, and the alarm. */
const market = await testApp();
const { admin, seller } = await actors(market);
const { contactRequests, contactChallenges, auditLog, engagementEvents } = schema;
const { fillMarket, set, contact, codeOf, number, newcomer, lookers, known, asked, solve, wait } =
  contactingIn(market, admin);

beforeEach(async () => {
  await market.reset();
  await fillMarket(30);
});

describe('a question', () => {
  test('is answered in the language of the page, and opens the way to the seller once', async () => {
    const details = await asked(number(0), { language: 'fr' });
    expect(details).toMatchObject({ seconds: 5 });
    expect(plain(details.question)).toMatch(
      /^(Combien font .* plus .* \?|Quel est le .* mot de cette liste : .* \?)$/,
    );
    wait(5);
    const reply = solve(details);
    const answer = await contact(number(0), { reply });
    expect(answer).toMatchObject({ status: 200, body: [{ seller_whatsapp: '+237699020001' }] });
    expect(codeOf(await contact(number(0), { reply }))).toBe('contact.challenge');
    expect(await market.db.select().from(contactRequests)).toMatchObject([
      { newcomer: true, productId: number(0) },
    ]);
    expect(await market.db.select().from(engagementEvents)).toMatchObject([
      { type: 'messageTap', productId: number(0) },
    ]);
  });

  test('answered ten times at once opens it once', async () => {
    const details = await asked(number(0));
    wait(5);
    const reply = solve(details);
    const ended = await Promise.all(
      Array.from({ length: 10 }, async () => codeOf(await contact(number(0), { reply }))),
    );
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
    // A wrong answer reveals nothing before the wait is over.
    expect(codeOf(await contact(number(0), { reply: { ...reply, answer: 'wrong' } }))).toBe(
      'contact.tooEarly',
    );
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
    expect(codeOf(await contact(number(0), { reply, address: '10.0.0.2' }))).toBe(
      'contact.challenge',
    );
    expect(codeOf(await contact(number(1), { reply }))).toBe('contact.challenge');
    expect(
      (await market.call(`/api/contact/question?token=${details.token}`, { address: '10.0.0.2' }))
        .status,
    ).toBe(404);
    expect(codeOf(await contact(number(0), { reply }))).toBe('kept');
  });

  test('that nobody signed is none', async () => {
    const details = await asked(number(0));
    wait(5);
    const answer = answerTo(details.question);
    const { token: sealed } = details;
    const changed = (at: number) =>
      sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    const forged = [
      sealed.slice(0, -4),
      `${sealed}AAAA`,
      changed(1),
      changed(100),
      changed(sealed.length - 5),
    ];
    for (const token of [...forged, 'A'.repeat(200), '', '.', "' or 1=1"]) {
      expect(codeOf(await contact(number(0), { reply: { token, answer } })), token).toBe(
        'contact.challenge',
      );
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
    expect(
      (await market.db.select().from(contactChallenges)).map(({ outcome }) => outcome).sort(),
    ).toEqual(['wrong', null, null].sort());
    wait(5);
    expect(codeOf(await contact(number(0), { reply: solve(next) }))).toBe('kept');
  });

  test('takes longer with wrong answers, not with open questions', async () => {
    const seconds = [];
    for (let n = 0; n < 25; n++) seconds.push((await asked(number(n))).seconds);
    expect(new Set(seconds)).toEqual(new Set([5]));
    for (let n = 0; n < 20; n++) {
      const { token } = await asked(number(n));
      wait(5);
      expect(codeOf(await contact(number(n), { reply: { token, answer: 'x' } }))).toBe(
        'contact.wrongAnswer',
      );
    }
    expect((await asked(number(0))).seconds).toBe(10);
    // Visitors who looked around do not wait for the wrong answers of others.
    await set('contactNewcomersFree', 0);
    const [as] = await lookers(1);
    expect((await asked(number(0), { as: as as Caller })).seconds).toBe(5);
  });

  test('is not put about what cannot be contacted, nor without consent', async () => {
    expect(codeOf(await contact(randomUUID()))).toBe('contact.notAvailable');
    const without = await market.call<ContactBody>(`/api/products/${number(0)}/contact`, {
      json: { consent: false },
    });
    expect(codeOf(without)).toBe('contact.consentRequired');
    expect(await market.db.select().from(contactChallenges)).toEqual([]);
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
      ended.push(
        ...(await Promise.all(
          batch.map(async (as, m) => codeOf(await contact(number(n + m), { as }))),
        )),
      );
    }
    expect(ended).toHaveLength(300);
    expect(new Set(ended)).toEqual(new Set(['kept']));
  }, 60_000);

  test('who are known keep their own limit', async () => {
    const person = await known();
    for (let n = 0; n < 10; n++)
      expect(codeOf(await contact(number(n), { as: person }))).toBe('kept');
    expect(codeOf(await contact(number(11), { as: person }))).toBe('contact.rateLimited');
  });

  test('who are signed in are counted by their account, whatever cookies they keep', async () => {
    await set('contactNewcomersPerHour', 0);
    const session = seller.jar.copy();
    for (let n = 0; n < 10; n++) {
      // The session alone, without a visitor cookie.
      expect(codeOf(await contact(number(n), { as: { jar: session.copy() } }))).toBe('kept');
    }
    expect(codeOf(await contact(number(11), { as: { jar: session.copy() } }))).toBe(
      'contact.rateLimited',
    );
    expect(
      new Set(
        (await market.db.select().from(contactRequests)).map(
          ({ visitor, newcomer: is }) => `${visitor} ${is}`,
        ),
      ),
    ).toEqual(new Set([`account:${seller.userId} false`]));
  });
});

describe('the alarm', () => {
  const alarms = async () =>
    (await market.db.select().from(auditLog)).filter(({ action }) => action === 'contact.harvest');

  test('tells every admin once, by mail and in the audit log, and names no address', async () => {
    const second = await signInAdmin(market, { language: 'fr' });
    for (let n = 0; n < 10; n++) await contact(number(n));
    expect(await alarms()).toEqual([]);
    for (let n = 10; n < 30; n++) await contact(number(n));
    const [line, ...more] = await alarms();
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      subjectKind: 'address',
      actorKind: 'visitor',
      after: { products: 11, live: 30 },
    });
    expect(line?.subjectId).toMatch(/^[0-9a-f]{32}$/);
    const mail = await market.mails.lastTo(admin.email);
    expect(mail.subject).toBe('Somebody may be collecting sellers’ numbers');
    expect(mail.text).toContain(line?.subjectId);
    expect(mail.text).toContain('/admin/audit?subjectKind=address');
    expect((await market.mails.lastTo(second.email)).subject).toBe(
      'Quelqu’un collecte peut-être les numéros des vendeurs',
    );
    expect(await market.mails.allTo(admin.email)).toHaveLength(1);
    expect(JSON.stringify([mail, market.logged, await alarms()])).not.toMatch(
      /10\.0\.0\.1|69902\d{4}/,
    );
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
  const tokenIn = (response: Response) =>
    new URL(response.headers.get('location') ?? '', 'http://market.test').searchParams.get(
      'token',
    ) ?? '';

  test('the form leads to a page with the question, and from there to WhatsApp', async () => {
    const first = await post({ consent: 'yes', slot: '1' }, 'fr');
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/fr\/contact\/question\?token=[^&]+&slot=1$/),
    ]);
    const token = tokenIn(first);
    const { body } = await market.call<Details & { name: string }>(
      `/api/contact/question?token=${token}`,
      { language: 'fr' },
    );
    expect(body).toMatchObject({ token, seconds: 5, name: 'Thing 1' });
    const answer = answerTo(body.question);
    const early = await post({ consent: 'yes', slot: '1', token, answer });
    expect(early.headers.get('location')).toBe(
      `/en/contact/question?${new URLSearchParams({ token, slot: '1', said: 'tooEarly', answer })}`,
    );
    wait(5);
    const wrong = await post({ consent: 'yes', slot: '1', token, answer: 'x' });
    expect(wrong.headers.get('location')).toMatch(/&slot=1&said=wrongAnswer$/);
    wait(5);
    const next = tokenIn(wrong);
    const { body: put } = await market.call<Details>(`/api/contact/question?token=${next}`);
    const over = await post({
      consent: 'yes',
      slot: '1',
      token: next,
      answer: answerTo(put.question),
    });
    expect(over.headers.get('location')).toMatch(/^https:\/\/wa\.me\/237699020001\?text=/);
  });

  test('the form with a cookie leads straight to WhatsApp, and its cookie then knows of the contact', async () => {
    const person = await newcomer();
    const before = person.jar.header();
    expect(
      (await post({ consent: 'yes', slot: '1' }, 'en', person)).headers.get('location'),
    ).toMatch(/^https:\/\/wa\.me\//);
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
