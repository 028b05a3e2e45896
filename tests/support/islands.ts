import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import type { Page } from 'playwright';

const root = new URL('../../site/src/', import.meta.url).pathname;

/** Makes every island module throw while the page's `broken` is set; other modules keep working. */
export async function breakIslands(page: Page): Promise<void> {
  await page.addInitScript(() => Object.assign(window, { broken: true }));
  await page.goto('about:blank');
  await page.route(/\/_astro\/[^?]+\.js$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const named = await page
      .evaluate(
        (path) => document.querySelector(`astro-island[component-url="${path}"]`) !== null,
        pathname,
      )
      .catch(() => false);
    if (!named) return route.continue();
    const body = `import Real from '${pathname}?real'; export default (props) => { if (window.broken) throw new Error('Broken on purpose'); return Real(props); };`;
    return route.fulfill({ contentType: 'text/javascript', body });
  });
}

/** Files of all islands that pages name with `client:…`. */
export function islandsOfTheSite(): string[] {
  const found = [...new Glob('**/*.astro').scanSync(root)].flatMap((file) => {
    const source = readFileSync(`${root}${file}`, 'utf8');
    return [...source.matchAll(/<([A-Z]\w*)\s[^<]*?\bclient:\w/g)].map(
      ([, name]) =>
        new RegExp(`import ${name} from '[^']*?(\\w+)\\.tsx'`).exec(source)?.[1] ?? `${name}?`,
    );
  });
  return [...new Set(found)].sort();
}
