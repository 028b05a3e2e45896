import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';

const pattern = (template: string) => new RegExp(`^${template.replaceAll(/[.?]/g, '\\$&').replaceAll(/\{\{\w+\}\}/g, '(.+)')}$`);

/** The answer to a question, as a person finds it in its words. */
export function answerTo(question: string, language: Language = 'en'): string {
  const { sum, word, numbers, places } = dictionaries[language].shop.question;
  const added = pattern(sum).exec(question);
  const number = (name = '') =>
    Number(
      Object.entries(numbers)
        .find(([, value]) => value === name)?.[0]
        .slice(1),
    );
  if (added) return String(number(added[1]) + number(added[2]));
  const [, place = '', list = ''] = pattern(word).exec(question) ?? [];
  const answer = list.split(', ')[Object.values(places).indexOf(place)];
  if (answer === undefined) throw new Error(`This question is none of ours: ${question}`);
  return answer;
}
