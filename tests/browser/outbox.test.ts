import { expect, test } from 'vitest';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';

const market = await openMarket({ DEMO: '1' });

test('the demo’s outbox page shows a visitor and a seller what people were sent, and an admin’s mails to that admin alone', async () => {
  const seller = await signUpSeller(market);
  const admin = await signInAdmin(market);
  for (const { email } of [seller, admin])
    await market.request('/api/auth/forgot-password', { json: { email } });
  const page = async (cookie = '') => {
    const response = await fetch(`${market.url}/en/demo/outbox`, { headers: { cookie } });
    expect(response.status).toBe(200);
    return response.text();
  };
  for (const cookie of ['', seller.jar.header()]) {
    const html = await page(cookie);
    expect(html).toContain(seller.email);
    expect(html).toContain('/reset-password?token=');
    expect(html).not.toContain(admin.email);
    expect(html).toContain('Letters to an administrator are shown to that administrator alone');
  }
  const own = await page(admin.jar.header());
  expect(own).toContain(admin.email);
  expect(own).toContain(seller.email);
});

test('an admin’s page goes to the sign-in within seconds when the session ends elsewhere', async () => {
  const admin = await signInAdmin(market);
  const page = await market.visit({ language: 'en' });
  await page.context().addCookies(
    admin.jar
      .header()
      .split('; ')
      .map((line) => ({
        name: line.slice(0, line.indexOf('=')),
        value: line.slice(line.indexOf('=') + 1),
        url: market.url,
      })),
  );
  const opened = page.waitForResponse(
    (response) => response.url().includes('/api/admin/live') && response.status() === 200,
  );
  await page.goto('/en/admin/slots');
  await opened;
  await market.request('/api/auth/sign-out', { method: 'POST', as: admin });
  await page.waitForURL(/\/admin\/auth/);
  expect(page.errors).toEqual([]);
});
