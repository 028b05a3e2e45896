import { brotliCompressSync, constants } from 'node:zlib';

/** Byte targets of the home page; 1 KB is 1,000 bytes. */
export const budgets = {
  htmlFirst: 15_000,
  htmlSoon: 13_200,
  scripts: 72_000,
  everyScript: 85_000,
  worker: 7_000,
  manifest: 500,
  card: 8_000,
  hero: 15_000,
  idle: 160_000,
  idleSaving: 32_000,
} as const;

/**
 * Limits of `tests/browser/bytes.test.ts`: the targets, and for the first HTML what was reached.
 * Random names of photos and codes make the same market weigh up to 70 bytes more or less (decision
 * 013).
 */
export const ceilings = { ...budgets, htmlFirst: 14_720 } as const;

const brotli = (text: string): number =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  }).byteLength;

export type Script = {
  path: string;
  bytes: number /** Loaded only by an `import()` with a condition. */;
  later: boolean;
};

/**
 * Every script a page can load: those in its HTML, what they import, and what they may import
 * later.
 * @param get returns a file's text, and its bytes as they travel
 */
export async function scriptsOf(
  html: string,
  get: (path: string) => Promise<{ text: string; bytes: number }>,
): Promise<Script[]> {
  const found = new Map<string, Script>();
  const waiting: string[] = [];
  const laterOnes: [address: string, from: string][] = [];
  let later = false;
  const want = (address: string, from: string) => {
    const { pathname } = new URL(address, `http://site${from}`);
    if (pathname.endsWith('.js') && !found.has(pathname)) {
      found.set(pathname, { path: pathname, bytes: 0, later });
      waiting.push(pathname);
    }
  };
  for (const [, address = ''] of html.matchAll(
    /<(?:script|link|astro-island)\b[^>]*?\b(?:src|href|component-url|renderer-url)="([^"]+\.js)"/g,
  ))
    want(address, '/');
  for (const [, address = ''] of html.matchAll(/\brenderer-url="([^"]+\.js)"/g)) want(address, '/');
  const follow = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { text, bytes } = await get(path);
      found.set(path, { path, bytes, later });
      for (const [, address = ''] of text.matchAll(/(?:from|import)\s*["'`]([^"'`]+\.js)["'`]/g))
        want(address, path);
      for (const [, address = ''] of text.matchAll(/\bimport\(\s*["'`]([^"'`]+\.js)["'`]/g))
        laterOnes.push([address, path]);
    }
  };
  await follow();
  later = true;
  for (let one = laterOnes.pop(); one; one = laterOnes.pop()) {
    want(...one);
    await follow();
  }
  // The runtime of islands is fetched by a script in the page (site/adapter/wake.ts).
  for (const [, address = ''] of html.matchAll(/src:"(\/_astro\/island\.[^"]+\.js)"/g)) {
    want(address, '/');
    found.set(address, { path: address, bytes: (await get(address)).bytes, later: false });
  }
  // Inline scripts count in the HTML and again here, since they too are parsed and run.
  for (const [, attributes = '', code = ''] of html.matchAll(
    /<script\b([^>]*)>([\s\S]+?)<\/script>/g,
  ))
    if (!/application\/(?:ld\+)?json/.test(attributes))
      found.set(`inline ${found.size}`, { path: 'inline', bytes: brotli(code), later: false });
  return [...found.values()];
}

export const totalBytes = (scripts: readonly Script[]): number =>
  scripts.reduce((sum, { bytes }) => sum + bytes, 0);

/** Scripts that load without any interaction or failure. */
export const atFirst = (scripts: readonly Script[]): Script[] =>
  scripts.filter(({ later }) => !later);

/** The same page without scripts or anything that loads them; its look stays. */
export async function withoutScripts(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('text/html')) return response;
  const html = await response.text();
  const bare = html
    .replaceAll(/<script\b(?![^>]*json)[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="?modulepreload"?[^>]*>/g, '');
  return new Response(bare, response);
}
