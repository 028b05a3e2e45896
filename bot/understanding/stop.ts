import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { commandIn, tokensOf } from './words.ts';

const onOff = new Map([
  ...['on', 'oui', 'yes'].map((word) => [word, true] as const),
  ...['off', 'non', 'no'].map((word) => [word, false] as const),
]);

/** Undefined for words that are neither on nor off. */
export const means = (word: string): boolean | undefined => onOff.get(word);

const wordsOf = (language: Language): string[] =>
  dictionaries[language].bot.stop.words.split(',').map((words) => tokensOf(words).join(' '));
const stops = new Map(languages.map((language) => [language, new Set(wordsOf(language))]));

export const languagesOf = (text: string): Language[] => {
  const said = tokensOf(text.slice(0, 60)).join(' ');
  return languages.filter((language) => stops.get(language)?.has(said));
};

/** True for a word that ends unasked messages, alone in a message. */
export const isStop = (text: string): boolean => languagesOf(text).length > 0;

/** True for the words that end a stop: “notices yes”. */
export function isResume(text: string): boolean {
  const said = commandIn(text.slice(0, 60));
  return (
    said?.exact === true &&
    (said.command === 'notices' || said.command === 'alert') &&
    said.rest.length === 1 &&
    means(said.rest[0] ?? '') === true
  );
}
