import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { nameParts } from '../../locales/market.ts';
import { roles } from '../core/access.ts';
import type { Theme } from '../http/cookies.ts';
import { answeredCodes } from '../shared/errors.ts';
import { escapeHtml } from '../shared/html.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { type Field, fieldsOf, rulesOf, typeOf } from './shape.ts';

// For programmers, in English like the summaries: no words in locales/.

const css = ['../../site/src/styles/tokens.css', './docs.css']
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('')
  .split('/*')
  .map((part, order) => (order === 0 ? part : part.slice(part.indexOf('*/') + 2)))
  .join('');

/** Allows only this style sheet and the market's typeface. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const groups: Record<string, string> = {
  market: 'The market',
  contact: 'Contact',
  accounts: 'Accounts',
  selling: 'Selling',
  connect: 'Connect',
  admin: 'Administration',
  operation: 'Operation',
};

type Entry = { method: string; path: string; operation: Operation };
const anchor = ({ operation }: Entry): string => escapeHtml(operation.operationId);
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
/** Long addresses may break only after a slash. */
const address = (path: string): string => escapeHtml(path).replaceAll('/', '/<wbr>');

function who({ operation }: Entry): string {
  const allowed = operation.description.replace(/^Allowed: |\.$/g, '').split(', ');
  return allowed.length === roles.length ? 'everybody' : escapeHtml(allowed.join(', '));
}

function field({ name, type, required, rules }: Field): string {
  const more = [required ? '<strong>required</strong>' : 'optional', ...rules.map(escapeHtml)].join(
    ', ',
  );
  return `<li>${code(name)} <span>${escapeHtml(type)}; ${more}</span></li>`;
}

const list = (title: string, items: readonly string[]): string =>
  items.length ? `<h4>${title}</h4><ul>${items.join('')}</ul>` : '';

function input({ operation }: Entry): string {
  const places = {
    path: 'In the address',
    query: 'In the query',
    header: 'In the headers',
  } as const;
  const parameters = Object.entries(places).map(([place, title]) =>
    list(
      title,
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === place)
        .map(({ name, required = false, schema }) =>
          field({ name, required, type: typeOf(schema), rules: rulesOf(schema) }),
        ),
    ),
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
    list(`Body, ${type === 'application/json' ? 'JSON' : 'a form'}`, fieldsOf(schema).map(field)),
  );
  return [...parameters, ...bodies].join('');
}

function answers({ operation }: Entry): string {
  const lines = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema;
    const shape = schema?.$ref ? ' (<a href="#refusals">a refusal</a>)' : '';
    const fields = schema && !schema.$ref ? `<ul>${fieldsOf(schema).map(field).join('')}</ul>` : '';
    return `<li>${code(status === 'default' ? 'other' : status)} <span>${escapeHtml(description)}${shape}</span>${fields}</li>`;
  });
  return list('Answers', lines);
}

/** A machine's secret, or ''. */
function secret({ operation }: Entry, { components }: OpenApi): string {
  const [name = ''] =
    operation.security.length === 1 ? Object.keys(operation.security[0] ?? {}) : [];
  return name === '' || name === 'session'
    ? ''
    : `; needs ${code(name)}: ${escapeHtml(components.securitySchemes[name]?.description ?? '')}`;
}

const article = (
  entry: Entry,
  document: OpenApi,
): string => `<article id="${anchor(entry)}" aria-labelledby="${anchor(entry)}-name">
<h3 id="${anchor(entry)}-name"><span class="method">${entry.method}</span> <code>${address(entry.path)}</code></h3>
<p>${escapeHtml(entry.operation.summary)}</p>
<p class="who">May call: ${who(entry)}${secret(entry, document)}</p>
${input(entry)}${answers(entry)}</article>`;

const contents = (entries: readonly Entry[]): string =>
  `<ul>${entries.map((entry) => `<li><a href="#${anchor(entry)}"><span class="method">${entry.method}</span> <span>${address(entry.path)}</span></a></li>`).join('')}</ul>`;

function refusals(): string {
  const sentence = translator('en', 'errors');
  const rows = answeredCodes.map(([name, status]) => {
    const words = sentence(name).replaceAll(/\{\{(\w+)\}\}/g, '…');
    return `<tr><td>${status}</td><td><code>${escapeHtml(name).replaceAll('.', '.<wbr>')}</code></td><td>${escapeHtml(words)}</td></tr>`;
  });
  return `<section id="refusals" aria-labelledby="refusals-name"><h2 id="refusals-name">Refusals</h2>
<p>One shape for all of them: <code>{"error": {"code", "message", "requestId", "fields"}}</code>. The message is a sentence in the reader’s language; <code>fields</code> is there
when input was wrong, with the path, the code and the sentence of each field.</p>
<table><caption class="unseen">Codes of refusals</caption><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Sentence</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

/** Renders the OpenAPI document without scripts. */
export function docsPage(document: OpenApi, theme: Theme): string {
  const entries: Entry[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const tags = [
    ...new Set([...Object.keys(groups), ...entries.flatMap(({ operation }) => operation.tags)]),
  ];
  const grouped = tags
    .map((tag) => ({
      tag,
      title: groups[tag] ?? tag,
      own: entries.filter(({ operation }) => operation.tags[0] === tag),
    }))
    .filter(({ own }) => own.length);
  const { words, number } = nameParts(document.info.title);
  const logo = `${escapeHtml(words)}${number && ` <span class="plate">${number}</span>`}`;
  return `<!doctype html>
<html lang="en"${theme === 'system' ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>The API of ${escapeHtml(document.info.title)}</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="logo" href="/" aria-label="${escapeHtml(document.info.title)}, home page">${logo}</a></header>
<div class="page">
<nav aria-label="Operations">
${grouped.map(({ tag, title, own }) => `<details><summary>${escapeHtml(title)} <span class="count">${own.length}</span></summary><p><a href="#${escapeHtml(tag)}">${escapeHtml(title)}</a></p>${contents(own)}</details>`).join('\n')}
<p><a href="#refusals">Refusals</a></p>
</nav>
<main id="main" tabindex="-1">
<h1>The API of ${escapeHtml(document.info.title)}</h1>
<p>${escapeHtml(document.info.description)} Everything that its pages show and do goes through the calls below. The same as an OpenAPI ${escapeHtml(document.openapi)} document:
<a href="/api/openapi.json">/api/openapi.json</a>.</p>
<ul class="notes">
<li>Who you are comes from the session cookie that a sign-in sets, never from a parameter.</li>
<li>Bodies are JSON with <code>content-type: application/json</code>, unless it says a form. Unknown fields are refused.</li>
<li>Sentences come in the language of <code>x-language</code> or <code>?language=</code> (${languages.map((language) => `<code>${language}</code>`).join(', ')}), else in the one that the person chose.</li>
<li>Times are ISO 8601 in UTC, amounts whole XAF, lengths of time in the unit that the field’s name ends with.</li>
<li>Every answer carries <code>x-request-id</code>: name it when you report a problem.</li>
</ul>
${grouped.map(({ tag, title, own }) => `<section id="${escapeHtml(tag)}" aria-labelledby="${escapeHtml(tag)}-name"><h2 id="${escapeHtml(tag)}-name">${escapeHtml(title)}</h2>\n${own.map((entry) => article(entry, document)).join('\n')}\n</section>`).join('\n')}
${refusals()}
</main>
</div>
</body>
</html>
`;
}
