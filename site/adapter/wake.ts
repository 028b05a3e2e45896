import { createHash } from 'node:crypto';
import island from 'astro/runtime/server/astro-island.prebuilt.js';
import { ISLAND_STYLES } from 'astro/runtime/server/astro-island-styles.js';

/**
 * The `client:calm` directive (src/directives/calm.ts), shipped with the runtime instead of in
 * every page.
 */
const calmDirective = '(self.Astro=self.Astro||{}).calm=async load=>{await(await load())()};';
const runtime = calmDirective + island;

/**
 * Astro's island runtime as a cacheable file; Astro would inline it in every page (1.6 KB
 * compressed).
 */
export const islandRuntime = {
  source: runtime,
  path: `/_astro/island.${createHash('sha256').update(runtime).digest('hex').slice(0, 8)}.js`,
};

/**
 * Loads the island runtime on calm pages: after the largest paint, when the browser is idle; with
 * Save-Data, at the first touch or key (decision 013). Runs in the head: `data-saving` keeps font
 * and lower pictures unfetched (tokens.css, stall.css), `data-clocks` reserves room for clocks
 * (deal.css).
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
 * Shows a message on other pages (`Base.astro`) when an island fails to load, since its buttons are
 * dead.
 */
export const lostScript =
  'addEventListener("astro:hydration-error",()=>{let n=document.getElementById("lost");if(n)n.hidden=false})';

export const scriptHashes = [wakeScript, lostScript].map(
  (source) => `sha256-${createHash('sha256').update(source).digest('base64')}` as const,
);

/**
 * Removes hashes of styles and scripts that this page lacks. Astro lists all pages' in each: 3.9 KB
 * of header beside 12 KB of home page.
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

const directiveLine = /<script>\(\(\)=>\{[^<]*\.calm=[^<]*<\/script>/;

/**
 * Moves the island style into the head, where HTML requires it. Calm pages get {@link wakeScript}
 * instead of the runtime and directive, others {@link lostScript}.
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
    .replace('</head>', () => `${style}<script>${wakeScript}</script></head>`);
}
