import { describe, expect, test } from 'vitest';
import { desktop, openMarket, phone } from '../support/market.ts';
import { expectUsable } from '../support/visits.ts';

const market = await openMarket();

describe('the page of the API', () => {
  test('is readable by everybody at 360 px, in the dark', async () => {
    const page = await market.visit({ language: 'en', viewport: phone, colorScheme: 'dark' });
    await page.goto('/api/docs');
    await expectUsable(page);
    expect(
      await page.evaluate(() =>
        document.fonts.ready.then((fonts) =>
          [...fonts].map(({ family, status }) => `${family} ${status}`),
        ),
      ),
    ).toEqual(['Stall loaded']);
    expect(page.errors).toEqual([]);
  });

  test('leads from its contents to an operation, without JavaScript', async () => {
    const page = await market.visit({
      language: 'fr',
      viewport: desktop,
      javaScriptEnabled: false,
    });
    await page.goto('/api/docs');
    await page.getByRole('navigation').getByText('Selling').first().click();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'POST /api/products', exact: true })
      .click();
    const operation = page.getByRole('article', { name: 'POST /api/products', exact: true });
    await operation.getByText('idempotency-key').waitFor();
    expect(await operation.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(
      200,
    );
  });
});
