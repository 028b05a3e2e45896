import type { Page } from 'playwright';
import { dictionaries } from '../../locales/index.ts';

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
const sentences = (node: unknown): string[] =>
  typeof node === 'string' ? [plain(node)] : Object.values(node as object).flatMap(sentences);

const french = new Set(sentences(dictionaries.fr));
const onlyEnglish = [...new Set(sentences(dictionaries.en))].filter(
  // A single word may be a name, or the same word in a seller's text.
  (text) => !french.has(text) && text.includes(' '),
);
const whole = new Set(onlyEnglish.filter((text) => !text.includes('{{')));
/** The fixed parts of sentences with values, where they are long enough to recognise one. */
const parts = onlyEnglish
  .filter((text) => text.includes('{{'))
  .map((text) => text.split(/\{\{.*?\}\}/).reduce((a, b) => (a.length < b.length ? b : a)))
  .map(plain)
  .filter((part) => part.length > 14 && ![...french].some((text) => text.includes(part)));

/** English sentences that a French screen shows, or gives to screen readers. */
export async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(textsOnPage);
  return texts
    .map(plain)
    .filter((text) => whole.has(text) || parts.some((part) => text.includes(part)));
}

/** Runs in the page: text and attributes that are read, except what is marked as English. */
function textsOnPage(): string[] {
  const found: string[] = [];
  const attributes = ['aria-label', 'alt', 'title', 'placeholder'];
  const skipped = 'script, style, template, noscript, textarea, pre, code, [lang=en], [lang=en] *';
  for (const element of document.body.querySelectorAll(`*:not(:is(${skipped}))`)) {
    for (const name of attributes) found.push(element.getAttribute(name) ?? '');
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
  }
  return [document.title, ...new Set(found)];
}
