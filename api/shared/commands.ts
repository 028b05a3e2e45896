import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';

/** Its words are in `words` of `bot.json`; the first is shown on buttons and in the help. */
export type Command = keyof (typeof dictionaries)['en']['bot']['words'];

export const typed = (language: Language, command: Command, ...rest: (string | number)[]): string =>
  [dictionaries[language].bot.words[command].split(',')[0]?.trim(), ...rest].join(' ');
