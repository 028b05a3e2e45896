import type { Page, Route } from 'playwright';

export const filled = (sentence: string, params: Record<string, string | number>): string =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));

/**
 * Refuses requests to an address until the returned function is called. The default 429 is not
 * retried by reads.
 */
export async function refuse(
  page: Page,
  address: string | RegExp,
  message: string,
  status = 429,
): Promise<() => Promise<void>> {
  const answer = (route: Route) =>
    route.fulfill({ status, json: { error: { code: 'tooMany', message } } });
  await page.route(address, answer);
  return () => page.unroute(address, answer);
}

/** Holds back answers of an address until the returned function is called. */
export async function hold(page: Page, address: string | RegExp): Promise<() => Promise<void>> {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answered: Promise<void>[] = [];
  const answer = (route: Route) => {
    const done = gate.then(() => route.continue()).catch(() => {});
    answered.push(done);
    return done;
  };
  await page.route(address, answer);
  return async () => {
    release();
    await Promise.all(answered);
  };
}

/** Blocks the event stream: the page sees others' changes only when it asks. */
export const withoutLiveUpdates = (page: Page) =>
  page.route('**/api/admin/live*', (route) => route.abort());
