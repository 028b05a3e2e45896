import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { browser, join, type Person, password } from '../people.ts';
import { asked } from '../questions.ts';
import { inWords, openStalls, repeat, type Stall } from '../requests.ts';

const wrongPassword = (address: string) => (market: Market, n: number) =>
  browser(market, address)
    .ask('/api/auth/sign-in', {
      json: { email: `invented.${n}@example.org`, password: `a wrong guess ${n}` },
    })
    .then(({ status }) => status);

type Refused = { error?: { code: string } };

/** Views a stall as a phone does, which sets the visitor's cookie. */
const look = (person: Person, { slot_id, product_id }: Stall) =>
  person.ask('/api/engagement', {
    json: { slotId: slot_id, productId: product_id, type: 'view' },
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 12) Chrome/130 Mobile' },
  });

/** Ways in that are shut for an honest person at an address. */
async function shutFor(market: Market, address: string, email: string): Promise<string[]> {
  const shut: string[] = [];
  const tryOut = async (name: string, act: () => Promise<{ status: number; text: string }>) => {
    const { status, text } = await act();
    if (status >= 400)
      shut.push(`${name} ${status} ${/"code":"([\w.]+)"/.exec(text)?.[1] ?? ''}`.trim());
  };
  const person = () => browser(market, address);
  await tryOut('right password', () => asked(person(), '/api/auth/sign-in', { email, password }));
  await tryOut('mailed link', () => asked(person(), '/api/auth/sign-in-link', { email }));
  await tryOut('new password', () => asked(person(), '/api/auth/forgot-password', { email }));
  await tryOut('sign-up', () =>
    asked(person(), '/api/auth/sign-up', {
      email: `new.at.${email}`,
      password,
      name: 'Somebody New',
      selling: false,
      agreed: '0',
    }),
  );
  const google = await fetch(`${market.url}/api/auth/google?door=member`, {
    headers: { 'x-forwarded-for': address },
    redirect: 'manual',
  });
  const place = google.headers.get('location') ?? '';
  if (google.status !== 303 || /[?&]google=/.test(place))
    shut.push(`Google ${google.status} ${/google=\w+/.exec(place)?.[0] ?? ''}`.trim());
  return shut;
}

/** Requests of one person that lock out others. */
export const shutting: readonly Attack[] = [
  {
    name: 'shutting: 290 wrong passwords at once, while an owner elsewhere signs in',
    async run(market) {
      const email = 'owner.elsewhere@attack.example.test';
      await join(market, 'owner.elsewhere', '192.0.2.81');
      const guesses = repeat(290, 290, (n) => wrongPassword('10.205.0.1')(market, n));
      await Bun.sleep(150);
      const started = performance.now();
      const { status } = await browser(market, '192.0.2.82').ask('/api/auth/sign-in', {
        json: { email, password },
      });
      const ms = Math.round(performance.now() - started);
      return {
        note: `${inWords(await guesses)}; the owner: ${status} after ${ms} ms`,
        held: status === 200 && ms <= 1000,
      };
    },
  },
  {
    name: 'shutting: one phone against its carrier’s address',
    async run(market) {
      const [email, address] = ['neighbour@attack.example.test', '10.205.0.2'];
      await join(market, 'neighbour', '192.0.2.83');
      const phone = browser(market, address);
      const guesses = await repeat(330, 8, (n) => wrongPassword(address)(market, n));
      const letters = await repeat(330, 8, async (n) => {
        const loop = ['sign-in-link', 'forgot-password', 'resend-verification'][n % 3];
        return (
          await phone.ask(`/api/auth/${loop}`, { json: { email: `mailed.${n}@example.org` } })
        ).status;
      });
      const google = await repeat(
        110,
        8,
        async () => (await phone.ask('/api/auth/google?door=member')).status,
      );
      const shut = await shutFor(market, address, email);
      return {
        note: `guesses ${inWords(guesses)}; letters ${inWords(letters)}; Google ${inWords(google)}; shut for a neighbour: ${shut.join(', ') || 'nothing'}`,
        held: shut.length === 0,
      };
    },
  },
  {
    name: 'shutting: an owner who signs in ten times, beside one who guesses',
    async run(market) {
      const email = 'often@attack.example.test';
      await join(market, 'often', '192.0.2.84');
      const own = await repeat(
        10,
        1,
        async () =>
          (
            await browser(market, '192.0.2.85').ask('/api/auth/sign-in', {
              json: { email, password },
            })
          ).status,
      );
      const guesses = await repeat(30, 4, async (n) => {
        const guess = { email, password: `a wrong guess ${n}` };
        return (await browser(market, '10.205.0.3').ask('/api/auth/sign-in', { json: guess }))
          .status;
      });
      const { status } = await asked(browser(market, '192.0.2.85'), '/api/auth/sign-in', {
        email,
        password,
      });
      return {
        note: `right ones ${inWords(own)}; guesses ${inWords(guesses)}; the owner then: ${status}`,
        held: status === 200,
      };
    },
  },
  {
    name: 'shutting: the contacts of an address’s newcomers used up, 370 questions left unanswered',
    async run(market) {
      const address = '10.205.0.4';
      const stalls = await openStalls(market.url);
      const stall = (n: number) => stalls[n % stalls.length] as Stall;
      const contact = (n: number) => `/api/products/${stall(n).product_id}/contact`;
      const honest = Array.from({ length: 5 }, () => browser(market, address));
      for (const [n, person] of honest.entries()) await look(person, stall(n));
      const looked = performance.now();
      const takers = [browser(market, address), browser(market, address)];
      for (const [n, taker] of takers.entries()) await look(taker, stall(n));
      const taken = await repeat(
        20,
        2,
        async (n) =>
          (await takers[n % 2]?.ask(contact(n), { json: { consent: true } }))?.status ?? 0,
      );
      const left = await repeat(370, 8, async (n) => {
        const { status, body } = await browser(market, address).ask<Refused>(contact(n), {
          json: { consent: true },
        });
        return body.error?.code ?? status;
      });
      // Their cookies must have counted a view more than a minute before.
      await Bun.sleep(Math.max(0, 61_000 - (performance.now() - looked)));
      const outcomes = await Promise.all(
        honest.map((person, n) =>
          asked<Refused>(person, contact(n), { consent: true }).then(
            ({ status, body }) => body.error?.code ?? status,
          ),
        ),
      );
      const served = outcomes.filter((outcome) => outcome === 200).length;
      return {
        note: `taken ${inWords(taken)}; left ${inWords(left)}; honest newcomers: ${outcomes.join(', ')}`,
        held: served === honest.length,
      };
    },
  },
];
