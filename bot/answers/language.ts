import { changeLanguage } from '../../api/account/changeLanguage.ts';
import { languageNames, translator } from '../../locales/index.ts';
import { defaultLanguage, type Language, languages } from '../../locales/languages.ts';
import { pageLanguage } from '../understanding/deepLink.ts';
import { languageOf } from '../understanding/understand.ts';
import { languageIn, typed } from '../understanding/words.ts';
import type { Answer, Handler, Reply, Turn } from './types.ts';

/** Asks in all languages. */
function askLanguage({ state }: Turn, then: string): Reply {
  state.awaits = { kind: 'language', then };
  return {
    text: languages.map((language) => translator(language, 'bot')('language.ask')).join('\n'),
    buttons: [
      languages.map((language) => ({
        label: languageNames[language],
        say: typed(language, 'language', language),
      })),
    ],
  };
}

/** Changes the language of the chat and its account. */
export async function speak(turn: Turn, language: Language): Promise<Reply> {
  if (turn.ctx.actor.kind !== 'visitor') await changeLanguage(turn.ctx, language);
  turn.changes.language = language;
  delete turn.state.guessed;
  turn.ctx = { ...turn.ctx, language };
  turn.t = translator(language, 'bot');
  return { text: turn.t('language.kept') };
}

export const language: Handler = (turn, { text }) => {
  const wanted = languageIn(text);
  return wanted ? speak(turn, wanted) : askLanguage(turn, '');
};

/**
 * Answers in the language of the page whose link was opened, else of the words, else of the
 * person's app, and offers the other one. The first message to a stranger leads to the page on
 * privacy.
 */
export async function guessed(
  turn: Turn,
  text: string,
  answer: () => Promise<Answer> | Answer,
): Promise<Answer> {
  const own = languageOf(text);
  const language =
    pageLanguage(text) ?? own ?? languages.find((one) => one === turn.spoken) ?? defaultLanguage;
  await speak(turn, language);
  turn.chat = { ...turn.chat, language };
  turn.state.guessed = own ? 'words' : 'nothing';
  const [first, ...rest] = [await answer()].flat();
  if (!first) return [];
  const privacy = {
    label: turn.t('button.privacy'),
    url: `${turn.ctx.services.env.publicUrl}/${language}/privacy`,
  };
  const below = [otherLanguage(language), privacy];
  return [{ ...first, buttons: [...(first.buttons ?? []), below] }, ...rest];
}

/** A language that nothing spoke for is changed by the first words in the other one. */
export async function follow(turn: Turn, text: string): Promise<void> {
  if (turn.state.guessed !== 'nothing') return;
  const page = pageLanguage(text);
  if (page && page !== turn.ctx.language) await speak(turn, page);
  if (page) turn.state.guessed = 'nothing';
  const own = page ? undefined : languageOf(text);
  if (!own) return;
  if (own !== turn.ctx.language) await speak(turn, own);
  turn.state.guessed = 'words';
}

/** A button for the language that was not guessed. */
const otherLanguage = (language: Language): { label: string; say: string } => {
  const other = language === 'en' ? 'fr' : 'en';
  return {
    label: translator(other, 'bot')('language.instead'),
    say: typed(other, 'language', other),
  };
};
