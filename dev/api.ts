import { randomUUID } from 'node:crypto';
import { attempt, stop, undo } from '../api/lifecycle.ts';
import { openPools } from '../api/marketData.ts';
import { pageLocals } from '../api/pageRenderer.ts';
import { cacheUntilHeader } from '../api/pages/keptPage.ts';
import type { PageRequest, Pages } from '../api/pages/pages.ts';
import { run } from '../api/runMarket.ts';
import type { Target } from '../db/client.ts';
import { calmedInDevelopment } from './calm.ts';
import { pageHeader, type SentLocals } from './protocol.ts';

/**
 * The API process of `bun run dev`, restarted by dev/run.ts at each change. Data folder and
 * database server outlive it; Astro's development server renders the pages.
 */
const rendering = new Map<string, PageRequest>();

/** Runs the API calls of a page being rendered in that page's request. */
const back = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 60,
  async fetch(request) {
    const address = new URL(request.url);
    const [, id = '', ...rest] = address.pathname.split('/');
    const page = rendering.get(id);
    if (!page) return new Response(null, { status: 404 });
    const path = `/${rest.join('/')}`;
    if (path === '/report') {
      pageLocals(page).report(new Error(await request.text()));
      return new Response(null, { status: 204 });
    }
    return page.api(new Request(`http://in.process${path}${address.search}`, request));
  },
});

const pages: Pages = async (page) => {
  const id = randomUUID();
  rendering.set(id, page);
  try {
    const { api, report, now, ...plain } = pageLocals(page);
    const locals: SentLocals = {
      ...plain,
      now: now.toISOString(),
      back: `http://127.0.0.1:${back.port}/${id}`,
    };
    const headers = new Headers(page.request.headers);
    headers.set('accept-encoding', 'identity');
    headers.set(
      pageHeader,
      `${process.env.DEV_TOKEN} ${Buffer.from(JSON.stringify(locals)).toString('base64url')}`,
    );
    const { search } = new URL(page.request.url);
    const response = await fetch(`${process.env.DEV_PAGES}${page.path}${search}`, {
      method: page.request.method,
      headers,
      redirect: 'manual',
    });
    return await calmedInDevelopment(response, [cacheUntilHeader]);
  } finally {
    rendering.delete(id);
  }
};

// Without its parent, no one could reach or stop this process.
process.on('disconnect', () => void stop(0));
undo.push(() => back.stop(true));

await attempt(async (env) => {
  const target = JSON.parse(process.env.DEV_DATABASE ?? '""') as Target;
  process.send?.({
    port: await run(env, await openPools(env, target), pages, undefined, process.env.DEV_HOST),
  });
});
