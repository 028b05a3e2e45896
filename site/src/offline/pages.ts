import type { Language } from '../../../locales/languages.ts';
import { dateTime } from '../lib/format.ts';

/** A kept page. */
type Link = { address: string; title: string };
type Words = { title: string; text: string; again: string; kept: string };

/** Key of a page in the cache: its path with the language, without a slash at the end. */
export function keptKey(path: string, language: string): string {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  const [, prefix] = /^\/(\w\w)(?=\/|$)/.exec(plain) ?? [];
  return prefix === language ? plain : `/${language}${plain}`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A kept page with its age at the top, in the look of the demo's line. It is a visitor's page, also
 * if it was loaded in a session.
 */
export function datedPage(html: string, at: string, words: string, language: Language): string {
  const note = escaped(words.replace('{{time}}', dateTime(at, language)));
  const [head, rest] = splitAfter(html, '<html');
  const [top, body] = splitAfter(rest, '<body');
  const open = head.replace(/ data-signed(?:="")?/, '');
  return `${open}${top}<p class="demo" role="status">${note}</p>${body}`;
}

/** A text before and after the end of a tag. */
function splitAfter(html: string, tag: string): [string, string] {
  const end = html.indexOf('>', html.indexOf(tag)) + 1;
  return [html.slice(0, end), html.slice(end)];
}

/** Title as it is written in HTML. */
export const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';

/** The page for an address that is not kept: what is, to choose from. */
export function missingPage(kept: readonly Link[], words: Words, language: Language): string {
  const links = kept
    .filter(({ title }) => title !== '')
    .map(({ address, title }) => `<li><a href="${escaped(address)}">${title}</a></li>`)
    .join('');
  return whole(
    words.title,
    `<p>${words.text}</p><p><a class="button" href="">${words.again}</a></p>${links && `<h2>${words.kept}</h2><ul>${links}</ul>`}`,
    language,
  );
}

/** The page of a form that could not be sent, with what was typed. */
export function unsentPage(
  action: string,
  fields: readonly [name: string, value: string][],
  words: { title: string; text: string; send: string },
  language: Language,
): string {
  const hidden = fields
    .map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    )
    .join('');
  const note = fields.find(([name]) => name === 'note')?.[1];
  return whole(
    words.title,
    `<p>${words.text}</p>${note ? `<blockquote>${escaped(note)}</blockquote>` : ''}<form method="post" action="${escaped(action)}">${hidden}<button class="button">${words.send}</button></form>`,
    language,
  );
}

const whole = (title: string, content: string, language: Language): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>${styles}</style>
<main><h1>${title}</h1>${content}</main></html>`;

/** Colours of tokens.css: this page loads no other file. */
const styles = `
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#f8f2e4;color:#191d44}
main{max-width:36rem;margin:0 auto;padding:2rem 1rem}
a{color:inherit;overflow-wrap:anywhere}
li{margin:.75rem 0}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid;white-space:pre-wrap;overflow-wrap:anywhere}
.button{display:inline-block;border:0;font:inherit;padding:.75rem 1.25rem;border-radius:4px;background:#d4351c;color:#fff;font-weight:700;text-decoration:none}
@media(prefers-color-scheme:dark){body{background:#0e1228;color:#f8f2e4}}
`;
