import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { endWithSession } from '../../api/live/sessions.ts';
import { openMarket } from '../../api/market.ts';
import { schema } from '../../db/client.ts';
import { type Person, signInAdmin } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';

const market = await testApp();
/** Two processes of one market, each with its own pools. */
const start = async () => {
  const { db, sql: raw } = market.database.another({ max: 4 });
  return openMarket({ db, sql: raw, services: market.services, now: market.clock.now });
};
const processes = [await start(), await start()];
afterAll(() => Promise.all(processes.map((running) => running.close())));
beforeEach(() => market.reset({ accounts: true }));

const request = (running: (typeof processes)[number], { jar }: { jar: Jar }) =>
  running.app.fetch(
    new Request('http://market.test/api/admin/live', { headers: { cookie: jar.header() } }),
    {},
  );
async function open(person: { jar: Jar }, running = processes[0] as (typeof processes)[number]) {
  const response = await request(running, person);
  expect(response.status).toBe(200);
  const line = (response.body as ReadableStream<Uint8Array>).getReader();
  await line.read();
  return line;
}
type Line = Awaited<ReturnType<typeof open>>;
/** Reads the rest of a stream that the server ends. */
async function rest(line: Line): Promise<string> {
  for (let text = ''; ; ) {
    const { value, done } = await line.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
}
/** Fails if the stream was ended: expects a new change on it. */
async function stillOpen(line: Line): Promise<void> {
  await market.db.update(schema.slots).set({ isFeatured: sql`not is_featured` }).where(sql`id = 1`);
  const { value, done } = await line.read();
  expect([done, new TextDecoder().decode(value)]).toEqual([
    false,
    'event: change\ndata: slot:1\n\n',
  ]);
}
const again = async (person: Person) => {
  const other: Person = { ...person, jar: new Jar() };
  const { email, password } = person;
  expect(
    (await market.request('/api/auth/admin/sign-in', { json: { email, password }, as: other }))
      .status,
  ).toBe(200);
  return other;
};

describe('an admin’s line', () => {
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['signs out', (person) => market.request('/api/auth/sign-out', { method: 'POST', as: person })],
    [
      'is no admin any more',
      (person) =>
        market.db
          .update(schema.user)
          .set({ role: 'member' })
          .where(eq(schema.user.id, person.userId)),
    ],
    [
      'is deleted',
      (person) => market.db.delete(schema.user).where(eq(schema.user.id, person.userId)),
    ],
    [
      'has the sessions taken away',
      (person) => market.db.delete(schema.session).where(eq(schema.session.userId, person.userId)),
    ],
  ];
  for (const [name, happens] of ends) {
    test(`ends in every process when whoever opened it ${name}, and no new one is opened`, async () => {
      const admin = await signInAdmin(market);
      const cookie = { jar: Object.assign(new Jar(), { header: () => header }) };
      const header = admin.jar.header();
      const lines = await Promise.all(processes.map((running) => open(admin, running)));
      await happens(admin);
      // The stream does not tell why it ended.
      for (const line of lines) expect(await rest(line)).toBe('');
      for (const running of processes)
        expect([401, 403]).toContain((await request(running, cookie)).status);
    });
  }

  test('stays when another admin, or the same one elsewhere, signs out', async () => {
    const admin = await signInAdmin(market);
    const [elsewhere, other] = [await again(admin), await signInAdmin(market)];
    const line = await open(admin);
    const ended = await Promise.all([open(elsewhere), open(other)]);
    for (const as of [elsewhere, other])
      await market.request('/api/auth/sign-out', { method: 'POST', as });
    for (const gone of ended) expect(await rest(gone)).toBe('');
    await stillOpen(line);
    await line.cancel();
  });

  test('ends with its time: nobody announces that, the heartbeat looks', async () => {
    const admin = await signInAdmin(market);
    const timers: (() => unknown)[] = [];
    const real = globalThis.setInterval;
    globalThis.setInterval = ((work: () => unknown, ms: number) => {
      if (ms === 20_000) timers.push(work);
      return real(() => {}, 3_600_000);
    }) as never;
    const running = await start().finally(() => {
      globalThis.setInterval = real;
    });
    const line = await open(admin, running);
    // The sign-in used the machine's time; the heartbeat uses the market's clock.
    await market.db
      .update(schema.session)
      .set({ expiresAt: new Date(market.clock.now().getTime() + 30 * 86_400_000) });
    for (const beat of timers) await beat();
    await stillOpenAfterBeat(line);
    market.clock.advance({ days: 31 });
    for (const beat of timers) await beat();
    expect(await rest(line)).toBe(': \n\n');
    await running.close();
  });
  async function stillOpenAfterBeat(line: Line): Promise<void> {
    expect(new TextDecoder().decode((await line.read()).value)).toBe(': \n\n');
  }

  test('ends where the session was deleted while it was being opened', async () => {
    const admin = await signInAdmin(market);
    const running = processes[0] as (typeof processes)[number];
    // The session ends after the request was checked, but before its stream is registered.
    await market.db.execute(sql`alter table session disable trigger session_ended`);
    const [found] = await market.db
      .select()
      .from(schema.session)
      .where(eq(schema.session.userId, admin.userId));
    const response = request(running, admin);
    await market.db.delete(schema.session).where(eq(schema.session.id, found?.id ?? ''));
    await market.db.execute(sql`alter table session enable trigger session_ended`);
    const answered = await response;
    if (answered.status === 200)
      expect(await rest((answered.body as ReadableStream<Uint8Array>).getReader())).toMatch(
        // A slow machine beats meanwhile.
        /^id: stood\nretry: \d+\n\n(?:: \n\n)*$/,
      );
    else expect(answered.status).toBe(401);
  });

  test('stays while the database cannot be asked, and is looked at when it is back', async () => {
    let away = true;
    let resume: () => unknown = () => {};
    const db = new Proxy(market.db, {
      get: (target, name, self) => {
        if (away) throw new Error('no connection');
        return Reflect.get(target, name, self);
      },
    });
    const live = {
      subscribe: () => () => {},
      onResume(listener: () => unknown) {
        resume = listener;
        return () => {};
      },
      close: async () => {},
    };
    const ended: string[] = [];
    const sessions = endWithSession(
      { db, now: market.clock.now, live, log: market.services.log },
      { owners: () => ['gone'], end: (owner) => ended.push(owner) },
    );
    await sessions.check();
    expect(ended).toEqual([]);
    expect(market.logged).toMatchObject([{ level: 'error', error: { message: 'no connection' } }]);
    away = false;
    await resume();
    expect(ended).toEqual(['gone']);
    sessions.close();
  });
});
