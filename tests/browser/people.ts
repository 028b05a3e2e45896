import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Timeout for a value: allows for a busy machine. */
export const patient = { timeout: 15_000 };

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });

/** Expects no horizontal scrolling. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBeLessThanOrEqual(0);
}

/**
 * Opens a page whose read keeps failing and skips its retry delays; returns a function that lets it
 * through.
 * @param sign the sentence that reports the failure
 */
export async function openBroken(
  page: Page,
  address: string,
  url: RegExp,
  sign: string,
): Promise<() => Promise<void>> {
  await page.clock.install();
  await page.route(url, (route) => route.abort());
  await page.goto(address);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return page.getByText(sign).first().isVisible();
    }, patient)
    .toBe(true);
  return () => page.unroute(url);
}
