import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashing } from '../../api/auth/passwords/hashing.ts';
import { schema } from '../../db/client.ts';
import { type Person, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fillCounters } from '../support/counters.ts';
import { googleProvider } from '../support/googleProvider.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';
import { answerTo } from '../support/question.ts';

/**
 * Sign-in limits count failures and letters, and never shut out others at the same address
 * (decision 059).
 */
const google = await googleProvider();
const market = await testApp({ env: google.env });
afterAll(() => google.stop());
let owner: Person;
beforeAll(async () => {
  owner = await signUpSeller(market, { email: 'owner@example.test' });
});
beforeEach(async () => {
  await market.reset();
  await market.db.delete(schema.rateLimit);
});

type Question = { token: string; question: string; link: boolean };
type Body = { error: { code: string; details: Question } };
type Where = { jar?: Jar; address?: string };
const wrong = 'not the password';
const post = (path: string, json: object, { jar = new Jar(), address = 'town' }: Where = {}) =>
  market.call<Body>(`/api/auth/${path}`, {
    json: path === 'sign-up' ? { agreed: '0', ...json } : json,
    ...{ as: { jar }, address },
  });
const said = ({ status, body }: { status: number; body: Body }) =>
  status < 300 ? 'yes' : body.error.code;
const signIn = (password: string, where?: Where, email = owner.email) =>
  post('sign-in', { email, password }, where);
const repliedTo = ({ body }: { body: Body }) => ({
  questionToken: body.error.details.token,
  answer: answerTo(body.error.details.question),
});

/** Answers one question as a person would, but not a second; returns the outcome. */
async function honest(path: string, json: object, where: Where = {}): Promise<string> {
  const jar = where.jar ?? new Jar();
  const first = await post(path, json, { ...where, jar });
  if (said(first) !== 'auth.challenge') return said(first);
  return said(await post(path, { ...json, ...repliedTo(first) }, { ...where, jar }));
}
/** Sends that many requests in batches. */
async function loop(times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < times; from += 110)
    await Promise.all(
      Array.from({ length: Math.min(110, times - from) }, (_, n) => work(from + n)),
    );
}

test('one phone does not shut its carrier’s address out: everybody else there needs one question at most', async () => {
  await loop(330, (n) => signIn(wrong, {}, n % 3 === 0 ? owner.email : `nobody${n}@example.test`));
  await loop(110, (n) => post('sign-in-link', { email: `a${n}@example.test` }));
  await loop(110, (n) => post('forgot-password', { email: `b${n}@example.test` }));
  await loop(110, (n) =>
    post('sign-up', { email: `c${n}@example.test`, password: wrong, name: 'Loop' }),
  );
  await loop(110, (n) => post('resend-verification', { email: `d${n}@example.test` }));
  const start = () => market.request('/api/auth/google?door=member', { address: 'town' });
  await loop(110, start);

  const other = await signUpMember(market, { email: 'other@example.test' });
  market.mails.clear();
  expect(await honest('sign-in', { email: other.email, password: other.password })).toBe('yes');
  // Also for the attacked account.
  expect(await honest('sign-in', { email: owner.email, password: owner.password })).toBe('yes');
  expect(await honest('sign-in-link', { email: owner.email })).toBe('yes');
  expect(await honest('forgot-password', { email: owner.email })).toBe('yes');
  expect((await market.mails.allTo(owner.email)).map(({ subject }) => subject).sort()).toEqual([
    'Choose a new password',
    'Your sign-in link',
  ]);
  expect(
    await honest('sign-up', {
      email: 'new@example.test',
      password: 'a good password',
      name: 'New',
    }),
  ).toBe('yes');
  expect(tokenIn(await market.mails.lastTo('new@example.test'))).toBeTruthy();
  expect((await start()).headers.get('location')).toContain(google.env.GOOGLE_ISSUER);
});

describe('a right password', () => {
  test('gives back its own count, and nobody’s wrong one', async () => {
    for (let n = 0; n < 9; n++) await signIn(wrong);
    for (let n = 0; n < 3; n++) expect(said(await signIn(owner.password))).toBe('yes');
    expect(said(await signIn(wrong))).toBe('auth.invalidCredentials');
    expect(said(await signIn(wrong))).toBe('auth.challenge');
  });

  test('is right sixty times in a quarter of an hour, whatever others typed', async () => {
    const before = await market.db.$count(schema.session);
    await loop(60, async (n) =>
      expect(said(await signIn(owner.password, { address: `home ${n}` }))).toBe('yes'),
    );
    expect(said(await signIn(owner.password, { address: 'one more' }))).toBe(
      'auth.tooManyAttempts',
    );
    expect(await market.db.$count(schema.session)).toBe(before + 60);
    market.clock.advance({ minutes: 15 });
    expect(said(await signIn(owner.password))).toBe('yes');
  });

  test('at an open session is counted like that too', async () => {
    const begin = (password: string) =>
      market.call<Body>('/api/account/password', {
        method: 'PUT',
        json: { password, newPassword: owner.password },
        as: owner,
      });
    for (let n = 0; n < 12; n++) expect(said(await begin(owner.password))).toBe('yes');
    for (let n = 0; n < 10; n++) expect(said(await begin(wrong))).toBe('auth.passwordWrong');
    expect(said(await begin(owner.password))).toBe('auth.tooManyAttempts');
  });
});

describe('tries at once', () => {
  test('cannot slip past the limit while they are judged', async () => {
    const codes = (await Promise.all(Array.from({ length: 40 }, () => signIn(wrong)))).map(said);
    expect(codes.filter((code) => code === 'auth.invalidCredentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'auth.challenge')).toHaveLength(30);
  });

  test('with one answer are judged once', async () => {
    await loop(10, () => signIn(wrong));
    const jar = new Jar();
    const json = {
      email: owner.email,
      password: wrong,
      ...repliedTo(await signIn(wrong, { jar })),
    };
    const codes = (
      await Promise.all(Array.from({ length: 5 }, () => post('sign-in', json, { jar })))
    ).map(said);
    expect(codes.filter((code) => code === 'auth.invalidCredentials')).toHaveLength(1);
  });
});

describe('a question', () => {
  const asked = async (where?: Where) => {
    await fillCounters(market, 'sign-in:address:%', 60);
    return signIn(owner.password, where);
  };
  beforeEach(async () => void (await signIn(wrong)));

  test('is the same for the same browser until it is answered, and another one for another browser', async () => {
    const jar = new Jar();
    const { token } = (await asked({ jar })).body.error.details;
    const rows = await market.db.$count(schema.rateLimit);
    expect((await asked({ jar })).body.error.details.token).toBe(token);
    expect((await asked()).body.error.details.token).not.toBe(token);
    // Asking writes nothing.
    expect(await market.db.$count(schema.rateLimit)).toBe(rows);
  });

  test('that is answered wrongly is used up, counts, and another one comes', async () => {
    const jar = new Jar();
    const first = await asked({ jar });
    const again = await signInWith(
      { questionToken: first.body.error.details.token, answer: 'no idea' },
      jar,
    );
    expect(said(again)).toBe('auth.wrongAnswer');
    expect(said(await signInWith(repliedTo(first), jar))).toBe('auth.challenge');
    expect(said(await signInWith(repliedTo(again), jar))).toBe('yes');
    // The first wrong password, sixty more, and the wrong answer.
    expect(await attemptsOf('sign-in:address:')).toBe(61);
  });

  test('is of one address and one form, and is over after ten minutes', async () => {
    const first = await asked();
    const elsewhere = { address: 'elsewhere' };
    for (let n = 0; n < 61; n++) await signIn(wrong, elsewhere, `n${n}@example.test`);
    expect(
      said(
        await post(
          'sign-in',
          { email: owner.email, password: owner.password, ...repliedTo(first) },
          elsewhere,
        ),
      ),
    ).toBe('auth.challenge');
    expect(
      said(
        await post('sign-up', {
          email: 'x@example.test',
          password: wrong,
          name: 'Xavier',
          ...repliedTo(first),
        }),
      ),
    ).toBe('auth.challenge');
    market.clock.advance({ minutes: 10 });
    expect(said(await signInWith(repliedTo(first), new Jar()))).toBe('auth.challenge');
    const { token } = first.body.error.details;
    expect(said(await signInWith({ questionToken: `${token}x`, answer: '4' }, new Jar()))).toBe(
      'auth.challenge',
    );
  });

  const signInWith = (reply: { questionToken: string; answer: string }, jar: Jar) =>
    post('sign-in', { email: owner.email, password: owner.password, ...reply }, { jar });
  const attemptsOf = async (key: string) => {
    const [row] = await market.sql<
      { n: number }[]
    >`select max(cardinality(hits))::int as n from rate_limit where key like ${`${key}%`}`;
    return row?.n;
  };
});

describe('a browser that signed in before', () => {
  const flood = () => fillCounters(market, 'sign-in:a%', 1000);
  const known = async (person = owner) => {
    const jar = new Jar();
    expect(said(await signIn(person.password, { jar }, person.email))).toBe('yes');
    await signIn(wrong, {}, person.email);
    await post('sign-in-link', { email: 'x@example.test' });
    return jar;
  };

  test('is let in by its password where everybody else of the address and the account is not', async () => {
    const jar = await known();
    await flood();
    expect(said(await signIn(owner.password))).toBe('auth.tooManyAttempts');
    expect(said(await signIn(owner.password, { jar }))).toBe('yes');
    // After ten wrong ones of its own it counts as any other.
    for (let n = 0; n < 10; n++)
      expect(said(await signIn(wrong, { jar }))).toBe('auth.invalidCredentials');
    expect(said(await signIn(wrong, { jar }))).toBe('auth.tooManyAttempts');
  });

  test('has letters sent to its own account, and to no other', async () => {
    const jar = await known();
    await fillCounters(market, 'letters:%', 600);
    expect(said(await post('sign-in-link', { email: owner.email }, { jar }))).toBe('yes');
    expect(said(await post('sign-in-link', { email: 'x@example.test' }, { jar }))).toBe(
      'auth.tooManyAttempts',
    );
  });

  test('is known for its own account alone, by the password of then, for 180 days', async () => {
    const other = await signUpMember(market);
    const jar = await known();
    await signIn(wrong, {}, other.email);
    await flood();
    expect(said(await signIn(other.password, { jar }, other.email))).toBe('auth.tooManyAttempts');
    market.clock.advance({ days: 180 });
    await signIn(wrong);
    await flood();
    expect(said(await signIn(owner.password, { jar }))).toBe('auth.tooManyAttempts');
    market.clock.advance({ hours: 2, days: 1 });
    const fresh = await known(other);
    await market.call('/api/account/password', {
      method: 'PUT',
      json: { password: other.password, newPassword: 'a new password' },
      as: { jar: fresh },
    });
    await flood();
    expect(said(await signIn('a new password', { jar: fresh }, other.email))).toBe(
      'auth.tooManyAttempts',
    );
  });

  test('cannot be forged', async () => {
    await known();
    await flood();
    const headers = { cookie: `known_device=${Date.now().toString(36)}-abc.${'A'.repeat(43)}` };
    const { body } = await market.call<Body>('/api/auth/sign-in', {
      json: { email: owner.email, password: owner.password },
      headers,
      address: 'town',
    });
    expect(body.error.code).toBe('auth.tooManyAttempts');
  });
});

describe('the form without scripts', () => {
  type Kept = {
    email: string;
    message: string;
    fields: Record<string, string>;
    question?: { token: string; question: string };
  };
  const send = async (form: Record<string, string>, jar = new Jar()) => {
    const answer = await market.request('/api/auth/sign-in/form?language=en', {
      form: { door: 'member', next: '/connect', ...form },
      as: { jar },
      address: 'town',
    });
    const to = new URL(answer.headers.get('location') ?? '', market.env.publicUrl);
    return { status: answer.status, to, kept: to.searchParams.get('kept') ?? '' };
  };
  const read = (kept: string, address = 'town') =>
    market.call<Kept>(`/api/auth/sign-in/form?kept=${kept}`, { address });

  test('signs in and goes on', async () => {
    const jar = new Jar();
    const { status, to } = await send({ email: owner.email, password: owner.password }, jar);
    expect([status, to.pathname, to.searchParams.get('next')]).toEqual([
      303,
      '/sign-in',
      '/connect',
    ]);
    expect(jar.has('session_token')).toBe(true);
    const away = await send({
      email: owner.email,
      password: owner.password,
      next: '//elsewhere.example',
    });
    expect(away.to.searchParams.get('next')).toBe('/account');
  });

  test('comes back with the question and all that was typed but the password, none of it readable in its address', async () => {
    await signIn(wrong);
    await fillCounters(market, 'sign-in:address:%', 60);
    const { to, kept } = await send({
      email: owner.email,
      password: owner.password,
      language: 'fr',
      door: 'seller',
    });
    expect([to.pathname, to.searchParams.get('next')]).toEqual(['/fr/seller/auth', '/connect']);
    expect(to.href).not.toContain('owner');
    const { body } = await read(kept);
    expect(body).toMatchObject({
      email: owner.email,
      message: expect.stringContaining('One question first'),
    });
    expect(JSON.stringify(body)).not.toContain(owner.password);
    expect((await read(kept, 'elsewhere')).body.question).toBeUndefined();
    const { token = '', question = '' } = body.question ?? {};
    const answered = await send({
      email: owner.email,
      password: owner.password,
      questionToken: token,
      answer: answerTo(question),
    });
    expect(answered.to.searchParams.get('next')).toBe('/connect');
    market.clock.advance({ minutes: 10 });
    expect((await read(kept)).status).toBe(404);
    expect((await read(`${kept.slice(0, -2)}00`)).status).toBe(404);
  });

  test('says what is wrong with a field', async () => {
    const { kept } = await send({ email: 'no address', password: 'short' });
    expect((await read(kept)).body.fields).toEqual({
      email: expect.any(String),
      password: expect.any(String),
    });
  });
});

describe('the queue of hashes, over HTTP', () => {
  const { hash, verify } = Bun.password;
  // Generous for busy machines; each wait ends once it is true.
  const patience = { interval: 2, timeout: 10_000 };
  const begun: string[] = [];
  let open: (() => void)[] = [];
  const held = (password: string) => {
    begun.push(password);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  let leave: () => void;
  beforeEach(() => {
    begun.length = 0;
    open = [];
    // One hash at once, on however many processors.
    const end = new Promise<void>((resolve) => {
      leave = resolve;
    });
    for (let n = 1; n < hashing.running; n++) void hashing.run(() => end);
    Object.assign(Bun.password, {
      hash: async (password: string) => held(password).then(() => hash(password)),
      verify: async (password: string, hashed: string) =>
        held(password).then(() => verify(password, hashed)),
    });
  });
  afterEach(() => {
    Object.assign(Bun.password, { hash, verify });
    leave();
    // A failed test must leave no hash pending.
    for (const end of open.splice(0)) end();
  });
  /** Ends all hashes, also new ones, until `done` settles. */
  async function release<T>(done: Promise<T>): Promise<T> {
    const timer = setInterval(() => {
      for (const end of open.splice(0)) end();
    }, 1);
    return done.finally(() => clearInterval(timer));
  }
  const waiting = (jobs: number) =>
    vi.waitFor(() => expect(hashing.waiting()).toBe(jobs), patience);

  test('a wrong password costs as many hashes with an account as without, each in its own turn', async () => {
    const waits = { email: 'waits@example.test', password: wrong, name: 'Waits' };
    await release(post('sign-up', waits));
    const forms = [...new Set(['NFC', 'NFD'].map((form) => 'mot de passe né'.normalize(form)))];
    for (const email of [owner.email, waits.email, 'nobody@example.test']) {
      begun.length = 0;
      const guess = signIn('mot de passe né', { address: 'home' }, email);
      await vi.waitFor(() => expect(begun).toHaveLength(1), patience);
      const other = signIn('elsewhere', { address: 'other' }, 'n@example.test');
      await waiting(1);
      expect(said(await release(guess))).toBe('auth.invalidCredentials');
      await release(other);
      expect(begun).toEqual([forms[0], 'elsewhere', forms[1]]);
    }
  });

  test('290 wrong passwords at once of one address leave an owner elsewhere in turn', async () => {
    const flood = Array.from({ length: 290 }, (_, n) =>
      signIn(`wrong password ${n}`, { address: 'flood' }, `n${n}@example.test`),
    );
    // Sixty may be judged: one runs, 32 wait, and their lane is full. The others get a question.
    await waiting(32);
    const own = signIn(owner.password, { address: 'home' });
    await waiting(33);
    const codes = (await release(Promise.all(flood))).map(said);
    expect(said(await own)).toBe('yes');
    expect(begun.indexOf(owner.password)).toBeLessThanOrEqual(2);
    const judged = codes.filter((code) => code === 'auth.invalidCredentials').length;
    expect(judged).toBeGreaterThanOrEqual(33);
    expect(judged).toBeLessThanOrEqual(60);
    expect(new Set(codes)).toEqual(
      new Set(['auth.invalidCredentials', 'auth.challenge', 'auth.busy']),
    );
  });

  test('an address that fills its lane gets 503 and when to come back, and nobody elsewhere does', async () => {
    const flood = Array.from({ length: 30 }, (_, n) =>
      signIn(`wrong password ${n}`, { address: 'flood' }, `n${n}@example.test`),
    );
    await waiting(29);
    const refused: unknown[] = [];
    const change = {
      method: 'PUT',
      json: { password: wrong, newPassword: 'a new password' },
      as: owner,
      address: 'flood',
    };
    const proofs = Array.from({ length: 9 }, async () => {
      const answer = await market.call<Body>('/api/account/password', change);
      refused.push(answer);
      return answer;
    });
    await vi.waitFor(() => expect(refused).toHaveLength(6), patience);
    const own = signIn(owner.password, { address: 'home' });
    const answers = await release(Promise.all(proofs));
    expect(said(await own)).toBe('yes');
    await Promise.all(flood);
    const full = answers.filter(({ status }) => status === 503);
    expect(full).toHaveLength(6);
    for (const { headers, body } of full)
      expect([headers.get('retry-after'), body.error.code]).toEqual(['2', 'auth.busy']);
    expect(market.logged.filter(({ level }) => level === 'error')).toEqual([]);
    // Unjudged tries are not counted: seven of ten are left.
    const [row] = await market.sql<
      { n: number }[]
    >`select cardinality(hits)::int as n from rate_limit where key = ${`password:${owner.userId}`}`;
    expect(row?.n).toBe(3);
  });

  test('a client that hangs up is not hashed for, and its try is not counted', async () => {
    const tries = async () => {
      const [row] = await market.sql<
        { n: number }[]
      >`select coalesce(sum(cardinality(hits)), 0)::int as n from rate_limit where key like 'sign-in:%'`;
      return row?.n ?? 0;
    };
    const before = await tries();
    const server = Bun.serve({
      port: 0,
      fetch: (request) => market.app.fetch(request, { address: '10.9.9.9' }),
    });
    try {
      const first = signIn('runs for long', { address: 'a' }, 'a@example.test');
      await vi.waitFor(() => expect(begun).toEqual(['runs for long']), patience);
      const gone = new AbortController();
      const left = fetch(`http://localhost:${server.port}/api/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: owner.email, password: 'hung up on' }),
        signal: gone.signal,
      }).catch(() => 'gone');
      await waiting(1);
      gone.abort();
      expect(await left).toBe('gone');
      await waiting(0);
      expect(said(await release(first))).toBe('auth.invalidCredentials');
      expect(begun).toEqual(['runs for long']);
      // Counters of the judged one.
      await vi.waitFor(async () => expect(await tries()).toBe(before + 3), patience);
    } finally {
      await server.stop(true);
    }
  });
});
