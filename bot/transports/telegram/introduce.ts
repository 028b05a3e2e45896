import type { Api } from 'grammy';
import { folded } from '../../../api/shared/places/regions.ts';
import { dictionaries, translator } from '../../../locales/index.ts';
import { defaultLanguage, type Language, languages } from '../../../locales/languages.ts';
import { typed } from '../../understanding/words.ts';

const shown = ['market', 'categories', 'sell', 'mine', 'balance', 'language', 'help'] as const;

/** A command as Telegram writes it: small letters, digits and underscores. */
const asCommand = (words: string): string => folded(words).replaceAll(' ', '_');

const commandsIn = (language: Language) => {
  const t = translator(language, 'bot');
  const [stop = ''] = dictionaries[language].bot.stop.words.split(',');
  return [
    ...shown.map((command) => ({
      command: asCommand(typed(language, command)),
      description: t(`menu.${command}`),
    })),
    { command: asCommand(stop), description: t('menu.stop') },
  ];
};

/** Tells Telegram the bot's menu and description, in every language. */
export async function introduce(api: Api): Promise<void> {
  for (const language of languages) {
    const t = translator(language, 'bot');
    // Without a code it is for everybody else.
    const code = language === defaultLanguage ? {} : { language_code: language };
    await api.setMyCommands(commandsIn(language), code as object);
    await api.setMyDescription(t('menu.about'), code as object);
    await api.setMyShortDescription(t('menu.short'), code as object);
  }
}
