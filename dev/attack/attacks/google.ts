import type { Attack } from '../attack.ts';
import type { Market } from '../market.ts';
import { addressOf, browser, type Person } from '../people.ts';
import { inWords, repeat } from '../requests.ts';

const callback = '/api/auth/callback/google';

/** Follows an address of the market or the demo's provider and returns the redirect. */
async function go(
  { url }: Market,
  person: Person,
  path: string,
  form?: Record<string, string>,
): Promise<string> {
  const response = await fetch(new URL(path, url), {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      'x-forwarded-for': person.address,
      cookie: person.jar.header(),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
  });
  await response.arrayBuffer();
  person.jar.keep(response.headers);
  return (response.headers.get('location') ?? String(response.status)).replace(url, '');
}

/** Returns the callback address with the code, which only this browser may use. */
async function untilCode(market: Market, person: Person, email: string): Promise<string> {
  let place = await go(market, person, '/api/auth/google?door=member');
  for (let step = 0; step < 8 && !place.startsWith(callback); step++) {
    const uid = /\/demo\/sign-in\?.*?uid=([\w-]+)/.exec(place)?.[1];
    place = await go(
      market,
      person,
      uid ? '/demo/sign-in' : place,
      uid ? { uid, email, name: 'Somebody New', proven: 'yes' } : undefined,
    );
  }
  return place;
}
const nameOf = async (person: Person) =>
  (await person.ask<{ email?: string }>('/api/auth/me')).body.email ?? 'nobody';

/** Attacks on sign-in with Google. */
export const google: readonly Attack[] = [
  {
    name: 'google: 400 starts at once, and 400 returns that nobody began',
    async run(market) {
      const began = await repeat(
        400,
        16,
        async (n) =>
          (await browser(market, addressOf(540_000 + (n >> 4))).ask('/api/auth/google?door=member'))
            .status,
      );
      const returned = await repeat(400, 16, async (n) => {
        const person = browser(market, addressOf(541_000 + (n >> 4)));
        const place = await go(
          market,
          person,
          `${callback}?code=${'x'.repeat(n)}&state=${n}&iss=https://accounts.example`,
        );
        return /[?&]google=(\w+)/.exec(place)?.[1] ?? place;
      });
      const fair = [...returned.keys()].every((outcome) =>
        ['over', 'failed', 'denied', 'often'].includes(String(outcome)),
      );
      return {
        note: `began ${inWords(began)}; returned ${inWords(returned)}`,
        held: began.get(303) === 400 && fair,
      };
    },
  },
  {
    name: 'google: an answer followed by another browser, twice, and with changed state',
    async run(market) {
      const email = 'by.google@attack.example.test';
      const owner = browser(market, '192.0.2.86');
      const place = await untilCode(market, owner, email);
      const thief = browser(market, '192.0.2.87');
      await go(market, thief, '/api/auth/google?door=member');
      await go(market, thief, place);
      const stolen = await nameOf(thief);
      const bent = browser(market, '192.0.2.88');
      const bentPlace = await untilCode(market, bent, 'bent.google@attack.example.test');
      await go(market, bent, bentPlace.replace(/state=[^&]+/, 'state=another'));
      const afterBent = await nameOf(bent);
      const again = browser(market, '192.0.2.86', owner.jar.copy());
      await go(market, owner, place);
      await go(market, again, place);
      const [own, twice] = [await nameOf(owner), await nameOf(again)];
      return {
        note: `another browser: ${stolen}; changed state: ${afterBent}; its own: ${own}; a second time: ${twice}`,
        held: stolen === 'nobody' && afterBent === 'nobody' && own === email && twice === 'nobody',
      };
    },
  },
  {
    name: 'google: places elsewhere to go on to',
    async run(market) {
      const places = [
        '//evil.example',
        '/\\evil.example',
        '/..//evil.example',
        'https://evil.example',
        '/%2f%2fevil.example',
        '/\t/evil.example',
        'javascript:alert(1)',
      ];
      const reached: string[] = [];
      for (const next of places) {
        const person = browser(market, '192.0.2.89');
        const begun = await go(
          market,
          person,
          `/api/auth/google?door=member&next=${encodeURIComponent(next)}`,
        );
        // The person declines; the redirect keeps the place to go on to.
        const back = begun.startsWith('4')
          ? begun
          : await go(market, person, `${callback}?error=access_denied&state=x`);
        const to = new URL(back, market.url).searchParams.get('next');
        if (to !== null && new URL(to, 'https://market.example').host !== 'market.example')
          reached.push(next);
        if (new URL(back, market.url).host !== new URL(market.url).host) reached.push(next);
      }
      return {
        note: reached.length
          ? `leads to ${reached.join(' ')}`
          : `${places.length} places, none elsewhere`,
        held: reached.length === 0,
      };
    },
  },
];
