import island from 'astro/runtime/server/astro-island.prebuilt.js';
import islandInDevelopment from 'astro/runtime/server/astro-island.prebuilt-dev.js';
import { calmed } from '../site/adapter/wake.ts';

/** Invalid once the body was read whole. */
const hops = [
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
];

/** Adapts a development answer to the built page (adapter/entry.ts). */
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
  // Astro also inlines style sheets that are only imported by address.
  const own = html.replaceAll(/<style data-vite-dev-id="[^"]*\?url">[^<]*<\/style>/g, '');
  return calmed(
    own.replace(`<script>${islandInDevelopment}</script>`, () => `<script>${island}</script>`),
  );
}
