import { createHash } from 'node:crypto';
import island from 'astro/runtime/server/astro-island.prebuilt.js';
import { ISLAND_STYLES } from 'astro/runtime/server/astro-island-styles.js';

/** What `client:calm` does (src/directives/calm.ts), which Astro would write into every page as well: here it is known before an island asks. */
const calmDirective = '(self.Astro||={}).calm=async load=>{await(await load())()};';
const runtime = calmDirective + island;

/** Astro's runtime of islands, which it would write into every page (1.6 KB compressed), as a file that is kept. */
export const islandRuntime = {
  source: runtime,
  path: `/_astro/island.${createHash('sha256').update(runtime).digest('hex').slice(0, 8)}.js`,
};

/**
 * What a page of calm islands carries in its place: fetches the runtime when the page has loaded and the browser is idle, after the
 * largest paint; where the phone saves data, at the first touch or key. The HTML is complete before that (decision 013).
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

/**
 * What a page carries whose islands are wanted at once: where one does not come, the page says so (`Base.astro`), since its buttons are dead. Pages of
 * calm islands are whole without them.
 */
export const lostScript =
  'addEventListener("astro:hydration-error",()=>{let n=document.getElementById("lost");if(n)n.hidden=false})';

/** The sources of both as the content security policy names them. */
export const scriptHashes = [wakeScript, lostScript].map(
  (source) => `sha256-${createHash('sha256').update(source).digest('base64')}` as const,
);

/**
 * A content security policy without the hashes of styles and scripts that this page does not have: Astro names those of all pages in
 * every one, 1.5 KB of header that no line compresses.
 */
export function trimmedPolicy(policy: string, html: string): string {
  const own = new Set<string>();
  for (const [, text = ''] of html.matchAll(
    /<(?:style|script)\b[^>]*>([\s\S]*?)<\/(?:style|script)>/g,
  ))
    own.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return policy.replaceAll(/ '(sha256-[^']+)'/g, (named, hash: string) =>
    own.has(`'${hash}'`) ? named : '',
  );
}

/** Astro's own line for the directive, and what its runtime does not read of an island, or takes for granted. */
const directiveLine = /<script>\(\(\)=>\{[^<]*\.calm=[^<]*<\/script>/;
const idleAttributes = / uid="[^"]*"| component-export="default"|(?<= opts=")[^"]*(?=")/g;

/** The tag of an island with what its runtime reads, and its props in the quotes that JSON does not have. */
const trimmedIsland = (tag: string): string =>
  tag
    .replaceAll(idleAttributes, (found) => (found.startsWith(' ') ? '' : '{}'))
    .replace(
      / props="([^"]*)"/,
      (_, props: string) => ` props='${props.replaceAll("'", '&#39;').replaceAll('&quot;', '"')}'`,
    );

/**
 * A page as Astro made it, with what belongs there in its head: the style of islands, which HTML does not allow elsewhere, and, on pages whose
 * islands are all calm, {@link wakeScript} in place of the runtime and its directive (any other island wants them at once).
 */
export function calmed(html: string): string {
  const style = `<style>${ISLAND_STYLES}</style>`;
  const inline = `<script>${island}</script>`;
  if (!html.includes(style)) return html;
  const calm = html.includes(inline) && !/<astro-island [^>]*client="(?!calm)/.test(html);
  const rest = html.replace(style, '');
  if (!calm) return rest.replace('</head>', () => `${style}<script>${lostScript}</script></head>`);
  return rest
    .replace(inline, '')
    .replace(directiveLine, '')
    .replaceAll(/<astro-island [^>]*>/g, trimmedIsland)
    .replace('</head>', () => `${style}<script>${wakeScript}</script></head>`);
}
