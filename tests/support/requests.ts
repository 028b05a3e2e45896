import type { Page, Route } from 'playwright';

/** A sentence of the dictionaries with its placeholders filled, so that a test names the key as the product does. */
export const filled = (sentence: string, params: Record<string, string | number>): string =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));

/** Answers a door with a refusal of the server's own kind until the test lets go of it; reads are not tried again after one. */
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

/** Holds the answers of a door back until the test lets go of them. */
export async function hold(page: Page, address: string | RegExp): Promise<() => Promise<void>> {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answered: Promise<void>[] = [];
  const answer = (route: Route) => {
    // A page that was closed or has gone on meanwhile wants no answer.
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

/** Takes the event stream away: the page learns what others did only when it asks. */
export const withoutLiveUpdates = (page: Page) =>
  page.route('**/api/admin/live*', (route) => route.abort());
