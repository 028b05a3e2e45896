import { Jar } from '../../../tests/support/jar.ts';
import type { Attack } from '../attack.ts';
import { addressOf, browser, join, must, password } from '../people.ts';
import { inWords, repeat } from '../requests.ts';

/** Attacks of strangers on accounts, and of members on the market. */
export const members: readonly Attack[] = [
  {
    name: 'members: 300 sign-ups from one address',
    async run(market) {
      const bot = browser(market, '10.201.0.1');
      const outcomes = await repeat(
        300,
        10,
        async (n) =>
          (
            await bot.ask('/api/auth/sign-up', {
              json: {
                email: `storm.${n}@example.org`,
                password,
                name: 'Storm',
                selling: false,
                agreed: '0',
              },
            })
          ).status,
      );
      const [letters] = await market.sql<
        { n: number }[]
      >`select count(*)::int as n from outbox where recipient like 'storm.%'`;
      return {
        note: `${inWords(outcomes)}; ${letters?.n} letters`,
        held: (letters?.n ?? 0) <= 100 && !outcomes.has('no answer'),
      };
    },
  },
  {
    name: 'members: 400 letters asked for one mailbox, from 100 addresses',
    async run(market) {
      const email = 'victim.of.mail@attack.example.test';
      await join(market, 'victim.of.mail', '192.0.2.40');
      const before = await mailsTo(market, email);
      const asks = ['forgot-password', 'sign-in-link', 'resend-verification', 'sign-up'];
      const outcomes = await repeat(400, 10, async (n) => {
        const ask = asks[n % asks.length] ?? '';
        const more =
          ask === 'sign-up'
            ? { password: 'another password', name: 'Somebody', selling: false, agreed: '0' }
            : {};
        return (
          await browser(market, addressOf(500_000 + (n >> 2))).ask(`/api/auth/${ask}`, {
            json: { email, ...more },
          })
        ).status;
      });
      const letters = (await mailsTo(market, email)) - before;
      return {
        note: `${inWords(outcomes)}; ${letters} letters`,
        held: letters <= 10 && !outcomes.has('no answer'),
      };
    },
  },
  {
    name: 'members: one password guessed from 150 addresses, and 350 accounts tried from one',
    async run(market) {
      const email = 'victim.of.guesses@attack.example.test';
      await join(market, 'victim.of.guesses', '192.0.2.41');
      const guess = (address: string, account: string) => async (n: number) =>
        (
          await browser(market, address).ask('/api/auth/sign-in', {
            json: { email: account, password: `a wrong guess ${n}` },
          })
        ).status;
      const spread = await repeat(150, 8, (n) => guess(addressOf(510_000 + n), email)(n));
      const wide = await repeat(350, 8, (n) => guess('10.202.0.1', `nobody.${n}@example.org`)(n));
      // No permanent lockout: a mailed link gets past all limits.
      const owner = browser(market, '192.0.2.42');
      const link = await owner.ask('/api/auth/sign-in-link', { json: { email } });
      const judged = (outcomes: Map<string | number, number>) =>
        (outcomes.get(401) ?? 0) + (outcomes.get(403) ?? 0);
      return {
        note: `one account: ${inWords(spread)}; one address: ${inWords(wide)}; a mailed link ${link.status}`,
        held: judged(spread) <= 100 && judged(wide) <= 300 && link.status < 300,
      };
    },
  },
  {
    name: 'members: a copy of one’s data asked for 100 times at once',
    async run(market) {
      const person = await join(market, 'copier', '192.0.2.43');
      const ids: string[] = [];
      const asked = await repeat(100, 100, async () => {
        const { status, body } = await person.ask<{ id?: string }>('/api/account/export', {
          json: { password },
        });
        if (body.id) ids.push(body.id);
        return status;
      });
      const read = await repeat(
        40,
        40,
        async (n) => (await person.ask(`/api/account/export/${ids[n % ids.length]}`)).status,
      );
      const stranger = await join(market, 'stranger', '192.0.2.44');
      const stolen = await repeat(
        ids.length,
        3,
        async (n) => (await stranger.ask(`/api/account/export/${ids[n]}`)).status,
      );
      return {
        note: `asked: ${inWords(asked)}; read: ${inWords(read)}; by somebody else: ${inWords(stolen)}`,
        held: ids.length <= 3 && (read.get(200) ?? 0) <= ids.length && !stolen.has(200),
      };
    },
  },
  {
    name: 'members: a session planted before a sign-in',
    async run(market) {
      const planter = await join(market, 'planter', '192.0.2.45');
      const victim = await join(market, 'planted', '192.0.2.46');
      // The victim's browser starts with another account's cookies, or with a made-up one.
      const outcomes: boolean[] = [];
      for (const jar of [planter.jar.copy(), madeUp()]) {
        const before = sessionIn(jar);
        const seat = browser(market, '192.0.2.46', jar);
        await must(
          seat.ask('/api/auth/sign-in', {
            json: { email: 'planted@attack.example.test', password },
          }),
        );
        const me = await must(
          seat.ask<{ email?: string; user?: { email?: string } }>('/api/auth/me'),
        );
        outcomes.push(sessionIn(jar) !== before, JSON.stringify(me).includes('planted@'));
      }
      const known = JSON.stringify(await must(planter.ask('/api/auth/me')));
      const own = victim.userId !== planter.userId && !known.includes('planted@');
      return {
        note: `new sessions ${outcomes.every(Boolean) ? 'each time' : 'NOT each time'}; the planted one is ${own ? 'still' : 'NOT'} its own`,
        held: outcomes.every(Boolean) && own,
      };
    },
  },
];

async function mailsTo({ sql }: Parameters<Attack['run']>[0], email: string): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from outbox where recipient = ${email}`;
  return row?.n ?? 0;
}

const sessionIn = (jar: Jar): string => /session_token=([^;]+)/.exec(jar.header())?.[1] ?? '';
function madeUp(): Jar {
  const jar = new Jar();
  jar.keep(new Headers([['set-cookie', `marche54.session_token=planted.${'A'.repeat(43)}%3D`]]));
  return jar;
}
