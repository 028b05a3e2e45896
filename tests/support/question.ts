import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { plain } from './text.ts';

const escaped = (text: string) => plain(text).replaceAll(/[.*+?^$()[\]\\]/g, String.raw`\$&`);
const patternOf = (template: string) =>
  new RegExp(`^${escaped(template).replaceAll(/\{\{\w+\}\}/g, '(.+)')}$`);
const keyOf = (said: Record<string, string>, text: string | undefined) =>
  Object.keys(said).find((key) => plain(said[key] ?? '') === text) ?? '';
const numberIn = (said: Record<string, string>, text: string | undefined) =>
  Number(keyOf(said, text).slice(1));

/** Answers a question as a person would, in its language: the sum in digits, or the word. */
export function answerTo(sentence: string): string {
  const text = plain(sentence);
  for (const language of languages) {
    const { sum, word, numbers, places } = dictionaries[language].shop.question;
    const [, a, b] = patternOf(sum).exec(text) ?? [];
    if (a && b) return String(numberIn(numbers, a) + numberIn(numbers, b));
    const [, place, list] = patternOf(word).exec(text) ?? [];
    if (place && list) return list.split(', ')[numberIn(places, place) - 1] ?? '';
  }
  throw new Error(`Not a question: ${sentence}`);
}
