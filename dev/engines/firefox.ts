import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { launch } from 'puppeteer-core';
import type { Engine } from './engine.ts';

const places = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Debian's Firefox through WebDriver BiDi, headless; undefined if not installed. */
export async function firefox(viewport: {
  width: number;
  height: number;
}): Promise<Engine | undefined> {
  const executablePath = process.env.FIREFOX ?? places.find((place) => existsSync(place));
  if (!executablePath) return undefined;
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: viewport,
  });
  const errors: string[] = [];
  const visit = async () => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport(viewport);
    page.on('pageerror', (error) => {
      const message = error instanceof Error ? error.message : String(error);
      // Firefox says so of a load that ends because the page is left.
      if (!/ServiceWorker intercepted the request and encountered/.test(message))
        errors.push(message);
    });
    return { context, page };
  };
  let { context, page } = await visit();
  const element = async (css: string) => {
    const found = await page.waitForSelector(css, { visible: true });
    if (!found) throw new Error(`Not on the page: ${css}`);
    return found;
  };
  return {
    name: `${await browser.version()}`,
    open: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    run: (body) => page.evaluate(`(() => { ${body} })()`) as Promise<never>,
    click: async (css) => (await element(css)).click(),
    type: async (css, text) => (await element(css)).type(text),
    upload: async (css, file) => {
      const input = await page.$(css);
      await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file);
    },
    picture: async (file) => writeFile(file, await page.screenshot()),
    forget: async () => {
      await context.close();
      ({ context, page } = await visit());
    },
    errors: () => errors,
    close: () => browser.close(),
  };
}
