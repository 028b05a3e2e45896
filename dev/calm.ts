import island from 'astro/runtime/server/astro-island.prebuilt.js';
import islandInDevelopment from 'astro/runtime/server/astro-island.prebuilt-dev.js';
import { calmed } from '../site/adapter/wake.ts';

/** Between processes only: the answer is read whole and sent anew. */
const hops = [
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
];

/** An answer of Astro's development server, with the head and the islands of the built page (adapter/entry.ts) and without `unwanted` headers. */
export async function calmedInDevelopment(
  response: Response,
  unwanted: string[],
): Promise<Response> {
  const headers = new Headers(response.headers);
  for (const name of [...hops, ...unwanted]) headers.delete(name);
  const html = headers.get('content-type')?.startsWith('text/html');
  const body = html ? asBuilt(await response.text()) : await response.arrayBuffer();
  return new Response([204, 304].includes(response.status) ? null : body, {
    status: response.status,
    headers,
  });
}

function asBuilt(html: string): string {
  // Astro takes a style sheet that is only named by its address for one of the page's own.
  const own = html.replaceAll(/<style data-vite-dev-id="[^"]*\?url">[^<]*<\/style>/g, '');
  return calmed(
    own.replace(`<script>${islandInDevelopment}</script>`, () => `<script>${island}</script>`),
  );
}
