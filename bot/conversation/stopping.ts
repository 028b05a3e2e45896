import { alarmWords } from '../../api/alarms/tell.ts';
import { anotherAdminChat } from '../../api/chats/held.ts';
import { resumeChat } from '../../api/chats/resumeChat.ts';
import { stopChat } from '../../api/chats/stopChat.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { means } from './linking.ts';
import { lines, paragraphs } from './say.ts';
import type { Reply, Turn } from './types.ts';
import { commandIn, tokensOf } from './words.ts';

const wordsOf = (language: Language): string[] =>
  dictionaries[language].bot.stop.words.split(',').map((words) => tokensOf(words).join(' '));
const stops = new Map(languages.map((language) => [language, new Set(wordsOf(language))]));

const languagesOf = (text: string): Language[] => {
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
    said.command === 'notices' &&
    said.rest.length === 1 &&
    means(said.rest[0] ?? '') === true
  );
}

/** Stops the chat; the open question stays open. Strangers are answered in the word's language. */
export async function stopped(turn: Turn, text: string): Promise<Reply> {
  const { ctx, chat, state } = turn;
  await stopChat(ctx, chat);
  const stranger = ctx.actor.kind === 'visitor' && !chat.language;
  const speak = stranger ? languagesOf(text) : [ctx.language];
  const said = speak.map((language) => translator(language, 'bot')('stop.done'));
  return {
    text: paragraphs(
      ...said,
      ctx.actor.kind === 'admin' && (await lostAlarms(turn)),
      state.awaits && state.awaits.kind !== 'language' && turn.t('stillAsked'),
    ),
  };
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
      dictionaries[language].bot.words.notices
        .split(',')
        .some((words) => tokensOf(words)[0] === first),
    ) ?? 'en'
  );
};
