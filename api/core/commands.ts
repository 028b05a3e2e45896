import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';

/** What can be said to the bot; each has its words in `words` of `bot.json`, the first of them on buttons and in the help. */
export type Command = keyof (typeof dictionaries)['en']['bot']['words'];

/** A command as it is typed in a language. */
export const typed = (language: Language, command: Command, ...rest: (string | number)[]): string =>
  [dictionaries[language].bot.words[command].split(',')[0]?.trim(), ...rest].join(' ');
