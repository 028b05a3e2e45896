import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadPages } from '../../api/pageRenderer.ts';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { testApp } from '../support/app.ts';

/** The built site with pages that throw, its own error page included (product §10). */
const dist = new URL('../../site/dist/', import.meta.url).pathname;
// Beside the build, so that its imports find their packages.
const folder = mkdtempSync(join(dist, 'broken-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(dist, 'server'), join(folder, 'server'), { recursive: true });

const message =
  'The drum <b>burst</b> at /srv/market/drum.ts, seller@market.test and +237677123456';
const thrown = `throw new Error("outer", { cause: new Error(${JSON.stringify(message)}) });`;
/** Adds a throw to the one built file that has this line. */
function breakAt(line: RegExp): void {
  const chunks = join(folder, 'server/chunks');
  const found = readdirSync(chunks).filter((name) =>
    line.test(readFileSync(join(chunks, name), 'utf8')),
  );
  expect(found, String(line)).toHaveLength(1);
  const file = join(chunks, found[0] as string);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(line, (matched) => `${matched} ${thrown}`),
  );
}
breakAt(/Astro\.self = \$\$HowItWorks;/);
breakAt(/function ForgotForm\([^)]*\) \{/);
// In its own folder, since a module is loaded once per address.
cpSync(join(folder, 'server'), join(folder, 'whole/server'), { recursive: true });
const errorPageWhole = await loadPages(new URL(`file://${folder}/whole/`));
breakAt(/Astro\.self = \$\$500;/);
const pages = await loadPages(new URL(`file://${folder}/`));

const broken = await testApp({
  pages: (page) =>
    pages({ ...page, ...(page.path === '/connect' ? { api: async () => Response.json({}) } : {}) }),
});
const described = broken.services.env.publicUrl;
const html = { accept: 'text/html' };
const shown = 'The drum &lt;b&gt;burst&lt;/b&gt; at [path], [address] and +[redacted]';

describe.each([...languages])('in %s', (language) => {
  const common = translator(language, 'common');

  /** Expects the fallback page with this error text. */
  async function expectFallback(path: string, detail: string | RegExp): Promise<void> {
    const answer = await broken.app.fetch(
      new Request(`http://market.test${path}`, {
        headers: { ...html, 'accept-language': language },
      }),
    );
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      500,
      'text/html; charset=utf-8',
    ]);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${common('routerFallback.title')}</h1>`);
    expect(text).toMatch(detail);
    expect(text).toContain(
      translator(language, 'errors')('unexpected', {
        requestId: answer.headers.get('x-request-id') ?? '-',
      }),
    );
    expect(text).not.toMatch(/srv|market\.test|677123456|outer| at .*:\d+/);
  }

  test.each([
    ['a page', '/how-it-works', shown],
    ['the host of an island', '/forgot-password', shown],
    ['a page whose data are wrong', '/connect', /<code lang="en">undefined is not an object/],
  ])('%s and the error page broken show the router’s own fallback', async (_, path, detail) => {
    broken.logged.splice(0);
    await expectFallback(`/${language}${path}`, detail);
    expect(JSON.stringify(broken.logged)).toMatch(/The drum <b>burst<|undefined is not an object/);
  });

  test('a page of the API that throws shows it too', async () => {
    const { env } = broken.services;
    // The document contains the market's address.
    const publicUrl = () => {
      throw new Error(message);
    };
    Object.defineProperty(env, 'publicUrl', { configurable: true, get: publicUrl });
    try {
      await expectFallback('/api/docs', shown);
    } finally {
      Object.defineProperty(env, 'publicUrl', {
        configurable: true,
        enumerable: true,
        writable: true,
        value: described,
      });
    }
  });

  test('a broken page alone shows the error screen, with nothing of the error', async () => {
    const market = await testApp({ pages: errorPageWhole });
    const answer = await market.request(`/${language}/how-it-works`, { headers: html });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toContain(common('errorScreen.title'));
    expect(text).not.toContain('drum');
  });
});
