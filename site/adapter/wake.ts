import { createHash } from 'node:crypto';
import island from 'astro/runtime/server/astro-island.prebuilt.js';
import { ISLAND_STYLES } from 'astro/runtime/server/astro-island-styles.js';

/** Astro's runtime of islands, which it would write into every page (1.6 KB compressed), as a file that is kept. */
export const islandRuntime = { source: island, path: `/_astro/island.${createHash('sha256').update(island).digest('hex').slice(0, 8)}.js` };

/**
 * What a page of calm islands carries in its place: fetches the runtime when the page has loaded and the browser is idle, after the
 * largest paint; where the phone saves data, at the first touch or key. The HTML is complete before that (docs/decisions/islands.md).
 * It stands in the head: `data-saving` keeps the web font and the pictures further down from being fetched (tokens.css, stall.css), and
 * `data-clocks` says that clocks will run, so that they have their room before they do (product.css).
 */
export const wakeScript = [
  '(()=>{',
  'let d=document,root=d.documentElement.dataset,signs=["pointerdown","keydown"],',
  `go=()=>d.head.append(Object.assign(d.createElement("script"),{src:"${islandRuntime.path}"})),`,
  'idle=()=>window.requestIdleCallback?requestIdleCallback(go,{timeout:2e3}):setTimeout(go,200),',
  'touch=()=>{for(let sign of signs)removeEventListener(sign,touch);root.saving="touched";root.clocks="";go()};',
  'if(navigator.connection?.saveData){root.saving="";for(let sign of signs)addEventListener(sign,touch,{passive:true})}',
  'else root.clocks="",addEventListener("load",idle)',
  '})()',
].join('');

/** The source of {@link wakeScript} as the content security policy names it. */
export const wakeHash = `sha256-${createHash('sha256').update(wakeScript).digest('base64')}` as const;

/**
 * A content security policy without the hashes of styles and scripts that this page does not have: Astro names those of all pages in
 * every one, 1.5 KB of header that no line compresses.
 */
export function trimmedPolicy(policy: string, html: string): string {
  const own = new Set<string>();
  for (const [, text = ''] of html.matchAll(/<(?:style|script)\b[^>]*>([\s\S]*?)<\/(?:style|script)>/g))
    own.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return policy.replaceAll(/ '(sha256-[^']+)'/g, (named, hash: string) => (own.has(`'${hash}'`) ? named : ''));
}

/**
 * A page as Astro made it, with what belongs there in its head: the style of islands, which HTML does not allow elsewhere, and, on pages whose
 * islands are all calm, {@link wakeScript} in place of the runtime (any other island wants that at once).
 */
export function calmed(html: string): string {
  const style = `<style>${ISLAND_STYLES}</style>`;
  const inline = `<script>${islandRuntime.source}</script>`;
  if (!html.includes(style)) return html;
  const calm = html.includes(inline) && !/<astro-island [^>]*client="(?!calm)/.test(html);
  const body = html.replace(style, '').replace(calm ? inline : '', '');
  return body.replace('</head>', () => `${style}${calm ? `<script>${wakeScript}</script>` : ''}</head>`);
}
