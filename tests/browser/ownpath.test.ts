import { expect, test } from 'vitest';
import { signUpMember } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { nastyPaths } from '../support/nastyPaths.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();

test('a browser that is sent on stays on the market, whatever it was asked to go on to', async () => {
  const page = await visitAs(market, await signUpMember(market), { language: 'en' });
  const left: string[] = [];
  // External sites are never reached: the request counts.
  await page.route(
    (url) => url.origin !== market.url,
    (route) => {
      left.push(route.request().url());
      return route.abort();
    },
  );
  await page.goto('/how-it-works');
  const landed = await page.evaluate(
    async (paths) => {
      const answers = [];
      for (const returnTo of paths)
        answers.push(
          await fetch('/preferences', { method: 'POST', body: new URLSearchParams({ returnTo }) }),
        );
      return answers.map(({ url }) => url);
    },
    nastyPaths.filter((path) => path.isWellFormed()),
  );
  // Invalid characters are refused at the form's own address; everything else goes home.
  expect(
    landed.filter((url) => url !== `${market.url}/` && url !== `${market.url}/preferences`),
  ).toEqual([]);
  expect(landed.filter((url) => url === `${market.url}/`).length).toBeGreaterThan(60);
  for (const [form, path] of [
    ['/sign-in', '/..//evil.example'],
    ['/fr/sign-in', '/en/..//evil.example'],
    ['/seller/auth', '/%2e%2e//evil.example'],
    ['/email-verification', '/fr//evil.example'],
    ['/sign-in', '/\t/evil.example'],
  ] as const) {
    await page.goto(`${form}?next=${encodeURIComponent(path)}`, { waitUntil: 'commit' });
    expect(new URL(page.url()).origin, `${form} ${path}`).toBe(market.url);
    expect(new URL(page.url()).pathname, `${form} ${path}`).not.toContain('evil');
  }
  expect(left).toEqual([]);
});
