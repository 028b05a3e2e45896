import { alarmWords } from '../../api/alarms/tell.ts';
import { anotherAdminChat } from '../../api/chats/held.ts';
import { resumeChat } from '../../api/chats/resumeChat.ts';
import { stopChat } from '../../api/chats/stopChat.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { languagesOf } from '../understanding/stop.ts';
import { languageOf } from '../understanding/understand.ts';
import { tokensOf, typed } from '../understanding/words.ts';
import type { Reply, Turn } from './types.ts';

/** Stops the chat; the open question stays open. Strangers are answered in the word's language. */
export async function stopped(turn: Turn, text: string): Promise<Reply> {
  const { ctx, chat, state } = turn;
  await stopChat(ctx, chat);
  const stranger = ctx.actor.kind === 'visitor' && !chat.language;
  const speak = stranger ? spokenIn(text) : [ctx.language];
  const said = speak.map((language) => translator(language, 'bot')('stop.done'));
  return {
    text: paragraphs(
      ...said,
      ctx.actor.kind === 'admin' && (await lostAlarms(turn)),
      state.awaits && state.awaits.kind !== 'language' && turn.t('stillAsked'),
    ),
  };
}

/** Languages of a request to stop: of its word, else of the sentence, else all. */
function spokenIn(text: string): readonly Language[] {
  const words = languagesOf(text);
  const sentence = words.length > 0 ? undefined : languageOf(text);
  return sentence ? [sentence] : words.length > 0 ? words : languages;
}

/** Admins have mailboxes, so only what mail does not carry can reach nobody. */
async function lostAlarms({ ctx, chat, t }: Turn): Promise<string | false> {
  if (await anotherAdminChat(ctx, chat)) return false;
  const mailFails = { kind: 'deliveryFailed', subject: 'email', figures: {} } as const;
  return lines(
    t('stop.nobody'),
    `• ${t('stop.news')}`,
    `• ${alarmWords(mailFails, ctx.language).title}`,
  );
}

export async function resumed(turn: Turn, text: string): Promise<Reply> {
  const { ctx, chat } = turn;
  await resumeChat(ctx, chat);
  turn.chat = { ...chat, stoppedAt: null, notices: true };
  const language =
    ctx.actor.kind === 'visitor' && !chat.language ? languageOfNotices(text) : ctx.language;
  return {
    text: paragraphs(
      translator(language, 'bot')('stop.resumed'),
      turn.state.awaits && turn.state.awaits.kind !== 'language' && turn.t('stillAsked'),
    ),
  };
}

const languageOfNotices = (text: string): Language => {
  const [first = ''] = tokensOf(text);
  return (
    languages.find((language) =>
      [dictionaries[language].bot.words.notices, dictionaries[language].bot.words.alert]
        .join()
        .split(',')
        .some((words) => tokensOf(words)[0] === first),
    ) ?? 'en'
  );
};

/** Asks whether a text that answered a question was meant to stop all messages. */
export const stopQuestion = ({ ctx, t }: Turn): Reply => ({
  text: t('stop.ask'),
  buttons: [
    [
      { label: t('button.stopAll'), say: 'stop' },
      {
        label: t('button.keepOn'),
        say: typed(ctx.language, 'notices', typed(ctx.language, 'yes')),
      },
    ],
  ],
});
