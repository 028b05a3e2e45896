import { asc, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { maxPending } from '../../api/auth/signUp/pending.ts';
import { openLinks } from '../../api/outbox/outbox.ts';
import { schema } from '../../db/client.ts';
import { signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { rare } from '../support/rare.ts';

/**
 * A stranger signs up with another person's address, before, between and after them, and never gets
 * into the account (decision 006).
 */
// With sixty requests at once, a busy machine could exceed the usual deadline, which is not tested
// here.
const market = await testApp({ env: { REQUEST_DEADLINE_SECONDS: '300' } });

type Who = 'victim' | 'attacker';
type Caller = { jar: Jar };
const browser = (): Caller => ({ jar: new Jar() });
const passwordOf = (who: Who, turn: number) => `password ${turn} of the ${who}`;
const numberOf = (who: Who, turn: number) => `69900${who === 'victim' ? 1 : 2}00${turn}`;
/**
 * Each person has another network address per scenario and route, since limits by address are
 * tested elsewhere.
 */
const post = (
  path: string,
  json: { email?: string } & Record<string, unknown>,
  as: Caller,
  who: Who = 'victim',
) =>
  market.call<{ error: { code: string } }>(`/api/auth/${path}`, {
    json: path === 'sign-up' ? { agreed: '0', ...json } : json,
    as,
    address: `${who} at ${json.email ?? json.token}, ${path}`,
  });
const signUp = (email: string, who: Who, turn: number, as: Caller) =>
  post(
    'sign-up',
    {
      email,
      password: passwordOf(who, turn),
      name: `${who} ${turn}`,
      whatsapp: numberOf(who, turn),
    },
    as,
    who,
  );
const roleOf = async (as: Caller) =>
  (await market.call<{ role: string }>('/api/auth/me', { as })).body.role;
const saidOf = ({ status, body }: Awaited<ReturnType<typeof post>>) =>
  status === 200 ? 'in' : body.error.code;
const { outbox, sellers, user, account, pendingSignUps, signUpLinks } = schema;

/** Tokens in a mailbox, oldest first. */
async function tokensOf(email: string): Promise<string[]> {
  const letters = await market.db
    .select({ text: outbox.bodyText })
    .from(outbox)
    .where(eq(outbox.recipient, email))
    .orderBy(asc(outbox.turn));
  return letters.flatMap(
    ({ text }) => /token=(\S+)/.exec(openLinks(market, email, text))?.[1] ?? [],
  );
}

const sequences = (length: number): Who[][] =>
  length === 0
    ? [[]]
    : sequences(length - 1).flatMap(
        (one) =>
          [
            [...one, 'victim'],
            [...one, 'attacker'],
          ] as Who[][],
      );
const browsers = ['home', 'elsewhere'] as const;
const typed = ['nothing', 'their password', 'a new password'] as const;
let people = 0;

/**
 * Runs one scenario: sign-ups in this order; the mailbox's owner then opens one link in some
 * browser and types a password.
 */
async function live(
  order: Who[],
  opened: number,
  where: (typeof browsers)[number],
  types: (typeof typed)[number],
): Promise<void> {
  const email = `owner${++people}@example.test`;
  const [attacker, home, elsewhere] = [browser(), browser(), browser()];
  for (const [turn, who] of order.entries())
    expect((await signUp(email, who, turn, who === 'victim' ? home : attacker)).status).toBe(200);
  const tokens = await tokensOf(email);
  expect(tokens).toHaveLength(order.length);
  const token = tokens[opened] ?? '';
  const as = where === 'home' ? home : elsewhere;
  const last = order.lastIndexOf('victim');
  const password = last < 0 ? 'a password of no sign-up' : passwordOf('victim', last);
  const own = where === 'home' && opened === last;
  const knows = last >= 0 && (where === 'home' || opened === last);

  // Before the mailbox is proven no password signs in.
  for (const [turn, who] of order.entries())
    expect(
      (await post('sign-in', { email, password: passwordOf(who, turn) }, attacker, 'attacker'))
        .status,
    ).not.toBe(200);
  const first = await post(
    'verify-email',
    {
      token,
      ...(types === 'nothing'
        ? {}
        : types === 'their password'
          ? { password }
          : { newPassword: 'a quite new password' }),
    },
    as,
  );
  const expected = {
    nothing: own ? 'in' : 'auth.signUpPasswordNeeded',
    'their password': knows ? 'in' : 'auth.signUpPasswordWrong',
    'a new password': 'in',
  };
  expect(saidOf(first)).toBe(expected[types]);
  const byPassword = saidOf(first) === 'in' && types !== 'a new password';
  // A refused link stays usable, and a new password always works.
  if (saidOf(first) !== 'in') {
    expect(await roleOf(as)).toBe('visitor');
    expect(
      (await post('verify-email', { token, newPassword: 'a quite new password' }, as)).status,
    ).toBe(200);
  }

  const rows = await market.db
    .select({ whatsapp: sellers.whatsapp, name: sellers.name })
    .from(sellers)
    .where(eq(sellers.email, email));
  expect(rows).toEqual(
    byPassword ? [{ whatsapp: `+237${numberOf('victim', last)}`, name: `victim ${last}` }] : [],
  );
  expect(await roleOf(as)).toBe(byPassword ? 'seller' : 'member');
  const works = byPassword ? password : 'a quite new password';
  for (const [turn, who] of order.entries()) {
    const said = (
      await post('sign-in', { email, password: passwordOf(who, turn) }, attacker, 'attacker')
    ).status;
    if (passwordOf(who, turn) !== works) expect(said).toBe(401);
  }
  expect((await post('sign-in', { email, password: works }, browser())).status).toBe(200);
  // Every other link is used, in each browser.
  for (const other of tokens)
    for (const one of [attacker, home])
      expect(
        saidOf(await post('verify-email', { token: other, newPassword: 'yet another one' }, one)),
      ).toBe('auth.linkUsed');
  expect(
    await market.db.select().from(pendingSignUps).where(eq(pendingSignUps.email, email)),
  ).toEqual([]);
}

describe('whoever signs up with an address, in whatever order', () => {
  // The proof `rare` tries all of three, and the newest link of four: the others behave alike.
  const worlds = (rare ? [1, 2, 3, 4] : [1, 2, 3]).flatMap((length) =>
    sequences(length).flatMap((order, number) =>
      order.flatMap((_, opened) =>
        browsers.flatMap((where, place) =>
          typed
            .filter((_, kind) =>
              length === 3
                ? rare || (number + opened + place + kind) % 9 === 0
                : length < 4 || opened === 3,
            )
            .map((types) => ({ order, opened, where, types })),
        ),
      ),
    ),
  );

  test('its owner gets in with what is theirs, and nobody else ever does', async () => {
    expect(worlds).toHaveLength(rare ? 204 + 96 : 60 + 15);
    const next = worlds.values();
    // In parallel, since sign-ups are slow.
    const worker = async () => {
      for (const { order, opened, where, types } of next)
        await live(order, opened, where, types).catch((error) => {
          throw new Error(
            `${order.join(', ')}; link ${opened} opened ${where} with ${types}: ${error.message}`,
            { cause: error },
          );
        });
    };
    await Promise.all(Array.from({ length: 60 }, worker));
    expect(await market.db.select().from(user).where(eq(user.emailVerified, false))).toEqual([]);
  }, 240_000);
});

describe('a sign-up', () => {
  test('makes no account, no credential and no profile before the proof', async () => {
    const email = 'waiting@example.test';
    const as = browser();
    await signUp(email, 'victim', 0, as);
    expect(await market.db.select().from(user).where(eq(user.email, email))).toEqual([]);
    expect(await market.db.select().from(sellers).where(eq(sellers.email, email))).toEqual([]);
    expect(await roleOf(as)).toBe('visitor');
  });

  test('leaves a cookie that scripts cannot read and that nobody can forge', async () => {
    const email = 'cookie@example.test';
    const as = browser();
    const { headers } = await signUp(email, 'victim', 0, as);
    const [cookie = ''] = headers.getSetCookie().filter((line) => line.startsWith('sign_up='));
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    const [row] = await market.db
      .select()
      .from(pendingSignUps)
      .where(eq(pendingSignUps.email, email));
    const [token = ''] = await tokensOf(email);
    for (const forged of [`sign_up=${row?.id}`, `sign_up=${row?.id}.${'A'.repeat(43)}%3D`])
      expect(
        (
          await market.call('/api/auth/verify-email', {
            json: { token },
            headers: { cookie: forged },
          })
        ).status,
      ).toBe(403);
  });

  test('by others never pushes one out that waits: what is too much is not kept', async () => {
    const email = 'crowded@example.test';
    const home = browser();
    await signUp(email, 'victim', 0, home);
    const [mine] = await market.db
      .select()
      .from(pendingSignUps)
      .where(eq(pendingSignUps.email, email));
    if (!mine) throw new Error('The sign-up was not kept');
    const { id, ...same } = mine;
    await market.db
      .insert(pendingSignUps)
      .values(Array.from({ length: maxPending - 1 }, () => same));
    const late = browser();
    expect((await signUp(email, 'attacker', 1, late)).body).toEqual({
      waits: true,
      profileFailed: false,
    });
    expect(late.jar.has('sign_up')).toBe(true);
    expect(
      await market.db.select().from(pendingSignUps).where(eq(pendingSignUps.email, email)),
    ).toHaveLength(maxPending);
    // A late owner still gets a letter that leads in.
    const [token = '', instead = ''] = await tokensOf(email);
    expect(saidOf(await post('verify-email', { token: instead }, late))).toBe(
      'auth.signUpPasswordNeeded',
    );
    expect((await post('verify-email', { token }, home)).status).toBe(200);
    expect(await market.db.select().from(pendingSignUps).where(eq(pendingSignUps.id, id))).toEqual(
      [],
    );
  });

  test('is not answered with more than five letters an hour, and each of them lets the owner in', async () => {
    const email = 'flooded@example.test';
    const attacker = browser();
    await signUp(email, 'attacker', 0, attacker);
    for (let n = 0; n < 8; n++) await post('resend-verification', { email }, attacker, 'attacker');
    const home = browser();
    expect((await signUp(email, 'victim', 1, home)).status).toBe(200);
    const tokens = await tokensOf(email);
    expect(tokens).toHaveLength(5);
    // None of these letters is from the owner's own sign-up; browser and password identify it.
    const [token = ''] = tokens;
    expect(saidOf(await post('verify-email', { token }, home))).toBe('auth.signUpPasswordNeeded');
    expect(
      saidOf(await post('verify-email', { token, password: passwordOf('victim', 1) }, home)),
    ).toBe('in');
    expect(await roleOf(home)).toBe('seller');
  });

  test('asked for again sends another link of this browser’s own, else of the newest, without a session', async () => {
    const email = 'again@example.test';
    const [home, attacker] = [browser(), browser()];
    await signUp(email, 'victim', 0, home);
    market.clock.advance({ seconds: 1 });
    await signUp(email, 'attacker', 1, attacker);
    await post('resend-verification', { email }, home);
    await post('resend-verification', { email }, browser());
    const links = await market.db
      .select({ signUpId: signUpLinks.signUpId })
      .from(signUpLinks)
      .where(eq(signUpLinks.email, email));
    const waiting = await market.db
      .select()
      .from(pendingSignUps)
      .where(eq(pendingSignUps.email, email));
    const countOf = (name: string) =>
      links.filter(({ signUpId }) => signUpId === waiting.find((one) => one.name === name)?.id)
        .length;
    expect([countOf('victim 0'), countOf('attacker 1')]).toEqual([2, 2]);
    const [, , own = '', newest = ''] = await tokensOf(email);
    expect(saidOf(await post('verify-email', { token: newest }, browser()))).toBe(
      'auth.signUpPasswordNeeded',
    );
    expect(saidOf(await post('verify-email', { token: own }, home))).toBe('in');
  });

  test('of an address that has the same password from two people is the one of this browser', async () => {
    const email = 'leaked@example.test';
    const [home, attacker] = [browser(), browser()];
    const json = { email, password: 'a password that leaked' };
    await post(
      'sign-up',
      { ...json, name: 'Attacker', whatsapp: '699002009' },
      attacker,
      'attacker',
    );
    await post('sign-up', { ...json, name: 'Victim', whatsapp: '699001009' }, home);
    const [token = ''] = await tokensOf(email);
    expect(saidOf(await post('verify-email', { token, password: json.password }, home))).toBe('in');
    expect(
      (await market.db.select().from(sellers).where(eq(sellers.email, email)))[0]?.whatsapp,
    ).toBe('+237699001009');
  });

  test('has ten tries of a password at one link', async () => {
    const email = 'guessed@example.test';
    await signUp(email, 'victim', 0, browser());
    const [token = ''] = await tokensOf(email);
    const guess = async (password: string) =>
      saidOf(await post('verify-email', { token, password }, browser()));
    for (let n = 0; n < 10; n++)
      expect(await guess('not the password')).toBe('auth.signUpPasswordWrong');
    expect(await guess(passwordOf('victim', 0))).toBe('auth.tooManyAttempts');
    expect(
      saidOf(await post('verify-email', { token, newPassword: 'a quite new password' }, browser())),
    ).toBe('in');
  });
});

describe('an account from before whose address nobody has proven', () => {
  async function unproven(email: string): Promise<string> {
    await market.db
      .insert(user)
      .values({ id: email, email, name: 'Attacker', emailVerified: false });
    await market.db.insert(account).values({
      id: email,
      accountId: email,
      providerId: 'credential',
      userId: email,
      password: await Bun.password.hash('a password from before'),
    });
    await market.db
      .insert(sellers)
      .values({ userId: email, email, name: 'Attacker', whatsapp: '+237699002008' });
    return email;
  }

  test('opens to nobody, and is gone with its number once the address is proven', async () => {
    const email = await unproven('before@example.test');
    expect(
      (await post('sign-in', { email, password: 'a password from before' }, browser())).status,
    ).toBe(401);
    const home = browser();
    await signUp(email, 'victim', 0, home);
    const [token = ''] = await tokensOf(email);
    expect((await post('verify-email', { token }, home)).status).toBe(200);
    expect(
      (await market.db.select().from(sellers).where(eq(sellers.email, email))).map(
        ({ whatsapp }) => whatsapp,
      ),
    ).toEqual([`+237${numberOf('victim', 0)}`]);
    expect(
      (await post('sign-in', { email, password: 'a password from before' }, browser())).status,
    ).toBe(401);
  });

  test('is not what becomes an admin', async () => {
    const email = await unproven('chief@example.test');
    expect(
      await createAdmin(
        { ...market.job('admin:create'), auth: market.auth },
        { email, name: 'Chief', password: 'the chief’s own' },
      ),
    ).toMatchObject({
      created: true,
    });
    expect(
      (await post('admin/sign-in', { email, password: 'a password from before' }, browser()))
        .status,
    ).toBe(401);
    expect(
      (await post('admin/sign-in', { email, password: 'the chief’s own' }, browser())).status,
    ).toBe(200);
  });

  test('and a link that was on its way lets the owner of the mailbox choose a password', async () => {
    const { createHash } = await import('node:crypto');
    const email = 'carried@example.test';
    const token = 'a link from before';
    const at = market.clock.now();
    await market.db.insert(signUpLinks).values({
      tokenHash: createHash('sha256').update(token).digest('hex'),
      email,
      createdAt: at,
      expiresAt: new Date(at.getTime() + 3_600_000),
    });
    const as = browser();
    expect(saidOf(await post('verify-email', { token }, as))).toBe('auth.signUpPasswordNeeded');
    expect(
      saidOf(await post('verify-email', { token, password: 'a password from before' }, as)),
    ).toBe('auth.signUpPasswordWrong');
    expect(
      saidOf(await post('verify-email', { token, newPassword: 'a quite new password' }, as)),
    ).toBe('in');
  });
});

test('a session that another planted before a sign-in is replaced, and stays the other’s', async () => {
  const [planter, victim] = [await signUpSeller(market), await signUpSeller(market)];
  const emailOf = async (jar: Jar) =>
    (await market.call<{ email: string }>('/api/auth/me', { as: { jar } })).body.email;
  const madeUp = new Jar();
  madeUp.keep(new Headers([['set-cookie', `marche54.session_token=planted.${'A'.repeat(43)}%3D`]]));
  for (const jar of [planter.jar.copy(), madeUp]) {
    const before = jar.header();
    const json = { email: victim.email, password: victim.password };
    expect((await market.call('/api/auth/sign-in', { json, as: { jar } })).status).toBe(200);
    expect(jar.header()).not.toContain(/session_token=[^;]+/.exec(before)?.[0]);
    expect(await emailOf(jar)).toBe(victim.email);
  }
  expect(await emailOf(planter.jar)).toBe(planter.email);
});
