import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { findBrowser, quietly } from '../../tests/support/chromium.ts';
import { openOwnPlace } from '../fuzz/own.ts';
import { type Testbed, type Who, whoever } from '../fuzz/testbed.ts';
import type { Inspection } from './inspection.ts';
import { flag, payloads } from './payloads.ts';
import { plant } from './planted.ts';

const home = 'http://market.test';
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
type Fault = { where: string; faults: string[] };

/** A browser that maps the market's address to this server; no other address resolves. */
async function openBrowser(port: number): Promise<Browser> {
  const args = quietly.filter((arg) => !arg.startsWith('--host-resolver-rules'));
  return chromium.launch({
    executablePath: await findBrowser(),
    args: [
      ...args,
      `--host-resolver-rules=MAP market.test:80 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      `--unsafely-treat-insecure-origin-as-secure=${home}`,
    ],
  });
}

async function seat(
  browser: Browser,
  testbed: Testbed,
  who: Who,
  theme: Theme,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: home,
    viewport: { width: 360, height: 740 },
    colorScheme: theme,
    locale: 'en-GB',
    extraHTTPHeaders: {
      'x-forwarded-for': `192.0.2.${100 + 10 * whoever.indexOf(who) + themes.indexOf(theme)}`,
    },
  });
  const pairs = [...testbed.cookie(who).split('; '), `theme=${theme}`].filter((pair) =>
    pair.includes('='),
  );
  await context.addCookies(
    pairs.map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: home,
    })),
  );
  return context;
}

/**
 * Faults that others' texts cause in an open page: what ran, could run or broke. Runs in the
 * browser.
 */
function look(name: string): string[] {
  const faults: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('*')) {
    for (const { name: attribute, value } of element.attributes) {
      if (attribute.startsWith('on')) faults.push(`<${element.localName}> has ${attribute}`);
      if (
        /^(?:href|src|action|formaction|srcdoc|data)$/.test(attribute) &&
        /^\s*(?:javascript|data:text|vbscript):?/i.test(value)
      )
        faults.push(`<${element.localName}> leads to ${value.slice(0, 40)}`);
    }
    if (/^(?:iframe|object|embed|base)$/.test(element.localName))
      faults.push(`<${element.localName}> in the page`);
    // Triggers handlers that wait for a pointer or the keyboard.
    element.dispatchEvent(new MouseEvent('mouseover', { bubbles: false }));
    if (element.tabIndex >= 0 && element.hasAttribute('autofocus')) element.focus();
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]'))
    try {
      JSON.parse(script.textContent ?? '');
    } catch {
      faults.push('structured data that is no JSON');
    }
  if (name in window) faults.push('a planted script ran');
  if (!document.querySelector('h1')) faults.push('no heading');
  if (document.documentElement.scrollWidth > window.innerWidth + 1)
    faults.push(`wider than the screen (${document.documentElement.scrollWidth})`);
  return faults;
}

/** Checks that the page shows others' texts. Runs in the browser. */
const showsPlanted = (name: string): boolean =>
  [name, 'MWmw', 'A14!'].some((word) =>
    (document.querySelector('main') ?? document.body).textContent.includes(word),
  );

/** Opens and judges an address; adds it to `showing` when it shows a planted text. */
async function judge(
  context: BrowserContext,
  path: string,
  showing: Set<string>,
  visited?: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('dialog', (dialog) => {
    faults.push(`dialog “${dialog.message().slice(0, 40)}”`);
    void dialog.dismiss();
  });
  page.on('popup', () => faults.push('opened another window'));
  page.on('pageerror', (error) => faults.push(`error: ${error.message.slice(0, 120)}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text().slice(0, 160));
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== home && !/^(?:data|blob|about):$/.test(protocol))
      faults.push(`asks ${request.url().slice(0, 60)}`);
  });
  try {
    const response = await page.goto(path, { waitUntil: 'load', timeout: 20_000 });
    if ((response?.status() ?? 500) >= 500) faults.push(`answered ${response?.status()}`);
    // Screens of admins and sellers load their rows after the page.
    const shown = await page
      .waitForFunction(showsPlanted, flag, { timeout: 1500 })
      .catch(() => undefined);
    if (shown) showing.add(path);
    await visited?.(page);
    faults.push(...(await page.evaluate(look, flag)));
    await page.waitForTimeout(30);
    if (await page.evaluate((name) => name in window, flag)) faults.push('a planted script ran');
  } catch (error) {
    faults.push(`broke: ${error instanceof Error ? error.message.slice(0, 120) : error}`);
  } finally {
    await page.close();
  }
  return [...new Set(faults)];
}

type Planted = Awaited<ReturnType<typeof plant>>;
/** Pages that show others' texts, by who may see them. */
const pagesOf = ({ slots, posts, products }: Planted): Record<Who, string[]> => ({
  visitor: [
    '/en/',
    '/en/connect',
    '/en/connect?search=so+far',
    ...slots.map((slot) => `/en/shop/slot/${slot}`),
    ...slots.slice(0, 2).map((slot) => `/en/shop/${slot}/details`),
    ...posts.map((reference) => `/en/connect/${reference}`),
    '/en/demo/outbox',
  ],
  member: [
    '/en/connect',
    '/en/connect/mine',
    '/en/connect/credits',
    '/en/account',
    ...posts.slice(0, 6).map((reference) => `/en/connect/${reference}`),
  ],
  seller: [
    '/en/seller/dashboard',
    '/en/seller/upload',
    '/en/account',
    '/en/connect/mine',
    ...products.map((id) => `/en/seller/products/${id}/edit`),
  ],
  admin: [
    ...[
      'dashboard',
      'dashboard?tab=integrity',
      'dashboard?tab=health',
      'queue',
      'slots',
      'reports',
      'users',
      'audit',
      'credits',
      'analytics',
      'cleanup',
    ],
    ...['reported', 'active', 'closed', 'hidden'].map((show) => `connect?show=${show}`),
    ...[
      'settings',
      'settings?tab=fees',
      'reports?tab=closed',
      'users?tab=barred',
      'credits?tab=members',
      'credits?status=failed',
    ],
    ...products.slice(0, 8).map((id) => `products/${id}/edit`),
  ]
    .map((page) => `/en/admin/${page}`)
    .concat('/en/demo/outbox'),
});

/** Opens mails without a policy that would stop scripts, as some mail programs do. */
async function judgeMails(
  browser: Browser,
  { sql }: Testbed,
): Promise<{ count: number; faults: Fault[] }> {
  const letters = await sql<
    { kind: string; subject: string; html: string }[]
  >`select kind, subject, body_html as html from outbox where channel = 'email'`;
  const context = await browser.newContext({ javaScriptEnabled: true });
  const page = await context.newPage();
  const found: Fault[] = [];
  for (const { kind, subject, html } of letters) {
    await page.setContent(html, { waitUntil: 'domcontentloaded' });
    const faults = (await page.evaluate(look, flag)).filter(
      (fault) => fault !== 'no heading' && !fault.startsWith('wider'),
    );
    if (/[\r\n]/.test(subject)) faults.push('a subject of two lines');
    if (faults.length > 0) found.push({ where: `letter ${kind}`, faults });
    await page.goto('about:blank');
  }
  await context.close();
  return { count: letters.length, faults: found };
}

/** Chats in the demo, so that its answers contain names and titles. */
async function chat(page: Page): Promise<void> {
  for (const words of ['find MWmw', 'market', 'show 11']) {
    await page.locator('form [name=text]').last().fill(words);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(500);
  }
}

/** Opens the consent, the share sheet and the report of a product's page. */
async function touchProduct(page: Page): Promise<void> {
  const contact = page.locator('[data-action=contact]').first();
  if ((await contact.count()) > 0)
    await contact.click({ timeout: 3000, noWaitAfter: true }).catch(() => {});
}

async function inspectTexts(
  say: (text: string) => void,
): Promise<{ pages: number; showing: number; letters: number; planted: Planted; faults: Fault[] }> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const testbed = await openOwnPlace(undo);
    say('planting');
    const planted = await plant(testbed);
    const browser = await openBrowser(testbed.port);
    undo.push(() => browser.close());
    const faults: Fault[] = [];
    const showing = new Set<string>();
    let pages = 0;
    for (const theme of themes)
      for (const who of whoever) {
        const context = await seat(browser, testbed, who, theme);
        const paths = pagesOf(planted)[who];
        say(`${paths.length} pages of a ${who}, ${theme}`);
        for (const path of [...paths, '/en/demo/chat?as=visitor']) {
          const act = path.includes('/demo/chat')
            ? chat
            : path.includes('/shop/')
              ? touchProduct
              : undefined;
          const found = await judge(context, path, showing, act);
          pages++;
          if (found.length > 0)
            faults.push({ where: `${path} as ${who}, ${theme}`, faults: found });
        }
        await context.close();
      }
    const letters = await judgeMails(browser, testbed);
    return {
      pages,
      showing: showing.size,
      letters: letters.count,
      planted,
      faults: [...faults, ...letters.faults],
    };
  } finally {
    for (const step of undo.reverse()) await step().catch((error) => console.error(error));
  }
}

/** Every place that shows others' texts, in a browser with scripts and in both themes. */
export const textInspection: Inspection = {
  name: 'stored texts: every place that shows them, in a browser, both themes',
  async run() {
    const { pages, showing, letters, planted, faults } = await inspectTexts((text) =>
      console.error(`  ${text}`),
    );
    const { rows, refused } = planted;
    const held = faults.length === 0 && rows > 250 && showing > 50 && letters > 10;
    const note = `${Object.keys(payloads).length} payloads in ${rows} places; ${pages} pages, ${showing} addresses show them; ${letters} letters`;
    return {
      held,
      result: {
        name: this.name,
        value: faults.length,
        unit: 'faults',
        want: 'none',
        met: held,
        note,
      },
      lines: [
        ...faults.map(({ where, faults: found }) => `${where}: ${found.join('; ')}`),
        ...refused.map((column) => `not planted: ${column}`),
      ].join('\n'),
    };
  },
};
