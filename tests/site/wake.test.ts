import island from 'astro/runtime/server/astro-island.prebuilt.js';
import { ISLAND_STYLES } from 'astro/runtime/server/astro-island-styles.js';
import { describe, expect, test } from 'vitest';
import { calmed, islandRuntime, lostScript, wakeScript } from '../../site/adapter/wake.ts';

const name = `L'eau "vive" & l'air <b> &quot;`;
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
const directive = (kind: string) =>
  `<script>(()=>{var a=async e=>{await(await e())()},t=a;(self.Astro||(self.Astro={})).${kind}=t;})();\n</script>`;
const tag = (client: string) =>
  `<astro-island uid="Z1" prefix="r1" component-url="/_astro/A.js" component-export="default" renderer-url="/_astro/r.js" props="${escaped(JSON.stringify({ name: [0, name] }))}" ssr client="${client}" opts="${escaped('{"name":"A","value":true}')}">`;
const page = (...clients: string[]) =>
  `<html><head><title>A</title></head><body><style>${ISLAND_STYLES}</style><script>${island}</script>${directive(clients[0] ?? '')}${clients.map(tag).join('')}</body></html>`;

describe('a page whose islands are all calm', () => {
  const html = calmed(page('calm', 'calm'));
  const [head = '', body = ''] = html.split('</head>');

  test('waits with a few lines in its head, and has no runtime and no directive of its own', () => {
    expect(head).toContain(`<script>${wakeScript}</script>`);
    expect(head).toContain(ISLAND_STYLES);
    expect(body).not.toContain('<script');
    expect(body).not.toContain('<style');
    expect(islandRuntime.source).toContain('.calm=');
  });

  test('keeps its islands as they are', () => {
    expect(body.split(tag('calm'))).toHaveLength(3);
  });
});

test('a page with an island that is wanted at once keeps the runtime, and its islands as they are', () => {
  const html = calmed(page('load', 'calm'));
  expect(html).toContain(`<script>${island}</script>`);
  expect(html).toContain(tag('load'));
  expect(html).not.toContain(wakeScript);
  // Pages with immediate islands can report a lost one; calm pages work without.
  expect(html).toContain(`<script>${lostScript}</script></head>`);
  expect(calmed(page('calm'))).not.toContain(lostScript);
});
