import { randomInt } from 'node:crypto';
import type { ContactQuestion } from '../../db/schema/contact.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Key } from '../../locales/keys.ts';
import { type Language, languages } from '../../locales/languages.ts';

const words = Object.keys(dictionaries.en.shop.question.words);
const places = Object.keys(dictionaries.en.shop.question.places).length;
const listed = 5;

/**
 * Asks for a sum, or for a word of a short list.
 * @param pick a whole number below its argument, random by default
 */
export function newQuestion(
  pick: (below: number) => number = (below) => randomInt(below),
): ContactQuestion {
  if (pick(2) === 0) return { kind: 'sum', a: 2 + pick(8), b: 2 + pick(8) };
  const left = [...words];
  const list = Array.from({ length: listed }, () => left.splice(pick(left.length), 1)[0] ?? '');
  return { kind: 'word', place: 1 + pick(places), words: list };
}

export function sentenceOf(question: ContactQuestion, language: Language): string {
  const t = translator(language, 'shop');
  const say = (key: string) => t(key as Key<'shop'>);
  if (question.kind === 'sum')
    return t('question.sum', {
      a: say(`question.numbers.n${question.a}`),
      b: say(`question.numbers.n${question.b}`),
    });
  const list = question.words.map((word) => say(`question.words.${word}`)).join(', ');
  return t('question.word', { place: say(`question.places.p${question.place}`), list });
}

/** Accepts digits or words of either language, whatever their case, accents, hyphens and spaces. */
export function isRight(question: ContactQuestion, answer: string): boolean {
  const given = plain(answer);
  if (question.kind === 'word') {
    const key = question.words[
      question.place - 1
    ] as keyof typeof dictionaries.en.shop.question.words;
    return languages.some(
      (language) => plain(dictionaries[language].shop.question.words[key]) === given,
    );
  }
  const sum = question.a + question.b;
  if (/^\d{1,4}$/.test(given)) return Number(given) === sum;
  const key = `n${sum}` as keyof typeof dictionaries.en.shop.question.numbers;
  return languages.some(
    (language) => plain(dictionaries[language].shop.question.numbers[key]) === given,
  );
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
