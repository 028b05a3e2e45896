import { randomUUID } from 'node:crypto';
import { generateSignedCookie } from 'hono/cookie';
import { expect, test } from 'vitest';
import { settingNames } from '../../../api/settings/schema.ts';
import { readSettings, writeSetting } from '../../../api/settings/values.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { contactModel, type Question, type Visitor } from '../../support/contactModel.ts';
import { Jar } from '../../support/jar.ts';
import { answerTo } from '../../support/question.ts';
import { rawRows } from '../../support/rows.ts';

/** The simulation of decision 059 must agree with the same requests over HTTP. */
const market = await testApp();
const { admin } = await actors(market);
const rows = rawRows(market.sql);

type Body = {
  error?: { code: string; details?: { token: string; question: string; seconds: number } };
};
/** Seeded random numbers. */
let state = 7;
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};

test('90 requests of one address end alike in memory and over HTTP', async () => {
  await market.reset();
  const ids: string[] = [];
  for (let slot = 1; slot <= 12; slot++) {
    ids.push(await rows.placed(slot));
    await market.sql`update products set seller_whatsapp = ${`+2376990${20_000 + slot}`} where id = ${ids.at(-1) ?? ''}`;
  }
  await market.sql`update slots set end_time = end_time + interval '9 days'`;
  const ctx = await market.ctx(admin);
  // Small enough to reach every rule: four contacts then turns, ten then turns, 20 in all.
  await writeSetting(ctx, 'contactPerHour', 4);
  await writeSetting(ctx, 'contactNewcomersFree', 4);
  await writeSetting(ctx, 'contactNewcomersPerHour', 64);
  await writeSetting(ctx, 'contactPerAddressPerHour', 20);
  const model = contactModel(await readSettings(ctx, settingNames));

  type Person = { jar: Jar; visitor: Visitor; token?: string; words?: string; question?: Question };
  const people: Person[] = [];
  const person = (visitor: Partial<Visitor>): Person => {
    const made = {
      jar: new Jar(),
      visitor: { known: false, cookie: false, viewedAt: null, contacts: [], ...visitor },
    };
    people.push(made);
    return made;
  };
  const now = () => market.clock.now().getTime();
  for (let n = 0; n < 3; n++) {
    const since = Math.floor(now() / 1000 - 90_000).toString(36);
    person({ known: true, cookie: true }).jar.keep(
      new Headers({
        'set-cookie': await generateSignedCookie(
          'visitor',
          `${randomUUID()}.${since}`,
          market.services.secret,
        ),
      }),
    );
  }
  for (let n = 0; n < 8; n++) {
    const { jar } = person({ cookie: true, viewedAt: now() });
    const answer = await market.request('/api/engagement', {
      json: { slotId: 1, productId: ids[0], type: 'view' },
      as: { jar },
    });
    expect([answer.status, jar.has('visitor')]).toEqual([202, true]);
  }
  for (let n = 0; n < 5; n++) person({});

  const seen = new Map<string, number>();
  for (let n = 0; n < 90; n++) {
    market.clock.advance({ seconds: 1 + random(n % 40 === 39 ? 1500 : 25) });
    const one = people[random(people.length)] as Person;
    const product = random(ids.length);
    const answering = one.question !== undefined && random(5) > 0;
    const right = random(4) > 0;
    const reply = answering
      ? { token: one.token, answer: right ? answerTo(one.words ?? '') : 'x' }
      : {};
    // Over HTTP a token is bound to its product; the model takes it for any.
    const about = answering ? (one.visitor as Visitor & { product: number }).product : product;
    const { status, body } = await market.call<Body>(`/api/products/${ids[about]}/contact`, {
      json: { consent: true, ...reply },
      as: one,
    });
    const expected = model.request(
      one.visitor,
      about,
      now(),
      answering && one.question ? { question: one.question, right } : undefined,
    );
    const code = status === 200 ? 'kept' : body.error?.code;
    expect([n, code, body.error?.details?.seconds]).toEqual([
      n,
      expected.code,
      expected.question && expected.seconds,
    ]);
    seen.set(expected.code, (seen.get(expected.code) ?? 0) + 1);
    const details = body.error?.details;
    if (expected.question && details)
      Object.assign(one, {
        question: expected.question,
        token: details.token,
        words: details.question,
      });
    Object.assign(one.visitor, { product: about });
  }
  expect([...seen.keys()].sort()).toEqual([
    'contact.challenge',
    'contact.rateLimited',
    'contact.tooEarly',
    'contact.wrongAnswer',
    'kept',
  ]);
}, 60_000);
