import { changeLanguage } from '../../api/account/changeLanguage.ts';
import { declineLink } from '../../api/chats/declineLink.ts';
import { leaveChat } from '../../api/chats/leaveChat.ts';
import { linkChat } from '../../api/chats/linkChat.ts';
import { readLinkCode } from '../../api/chats/readLinkCode.ts';
import { signInFromChat } from '../../api/chats/signInFromChat.ts';
import { ownSwitches, switchNotification } from '../../api/people/switches.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { languageNames, translator } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import { accountWords, button, hasMailbox, lines, ownAccount, paragraphs } from './say.ts';
import type { Answer, Args, Asked, Button, Handler, Reply, Turn } from './types.ts';
import { languageIn, typed } from './words.ts';

/** Offers to join or link, for commands that need an account. */
export const linkFirst = (turn: Turn): Reply => ({
  text: turn.t('link.first'),
  buttons: [
    [button(turn, 'button.join', 'join'), button(turn, 'button.link', 'link')],
    [button(turn, 'button.market', 'market')],
  ],
});

export const signedIn =
  (handler: Handler): Handler =>
  (turn, args) =>
    turn.ctx.actor.kind === 'visitor' ? linkFirst(turn) : handler(turn, args);

/** Asks for a code, or to confirm the account of the given one. */
export async function link(turn: Turn, { words }: Args): Promise<Answer> {
  const { ctx, chat, state, t } = turn;
  if (ctx.actor.kind !== 'visitor')
    return { text: t('link.already', { account: ownAccount(turn) }) };
  if (words.length === 0) {
    state.awaits = { kind: 'code' };
    return { text: t('link.ask'), buttons: [[button(turn, 'button.notNow', 'no')]] };
  }
  const { codeHash, account } = await readLinkCode(ctx, chat, words.join(''));
  state.awaits = { kind: 'link', codeHash };
  return {
    text: paragraphs(
      t('link.question', { account: accountWords(turn, account) }),
      t('link.yourself'),
      t('link.yesNo'),
    ),
    buttons: [[button(turn, 'button.linkIt', 'yes'), button(turn, 'button.no', 'no')]],
  };
}

/** Drops unfinished steps, which belong to the account the chat acted for before. */
function forgetState(state: Turn['state']): void {
  for (const key of Object.keys(state)) delete state[key as keyof typeof state];
}

/** Links the chat after its person agreed. */
export async function linkAgreed(
  turn: Turn,
  { codeHash }: Extract<Asked, { kind: 'link' }>,
): Promise<Reply> {
  const { ctx, chat, state, t } = turn;
  const { account } = await linkChat(ctx, chat, codeHash);
  // A language that nothing spoke for gives way to the account's.
  if (state.guessed === 'nothing') turn.changes.language = null;
  forgetState(state);
  return {
    text: t('link.done', { account: accountWords(turn, account) }),
    buttons: [[button(turn, 'button.help', 'help')]],
  };
}

/** Uses up the code without linking. */
export async function declined(
  turn: Turn,
  { codeHash }: Extract<Asked, { kind: 'link' }>,
): Promise<Reply> {
  await declineLink(turn.ctx, codeHash);
  return { text: turn.t('link.declined') };
}

export const unlink = signedIn(async (turn) => {
  try {
    return await left(turn);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'chats.onlyWayIn') throw error;
    turn.state.awaits = { kind: 'unlink' };
    return {
      text: paragraphs(
        turn.t('link.onlyWayIn', { account: ownAccount(turn) }),
        turn.t('link.leave'),
      ),
      buttons: [[button(turn, 'button.yes', 'yes'), button(turn, 'button.no', 'no')]],
    };
  }
});

export async function left(
  { ctx, chat, state, t }: Turn,
  options?: { anyway: boolean },
): Promise<Reply> {
  await leaveChat(ctx, chat, options);
  forgetState(state);
  return { text: t('link.ended') };
}

export const signIn = signedIn(async ({ ctx, t }) => {
  const { link: address } = await signInFromChat(ctx);
  return { text: t('signIn'), buttons: [[{ label: t('button.openSite'), url: address }]] };
});

const onOff = new Map([
  ...['on', 'oui', 'yes'].map((word) => [word, true] as const),
  ...['off', 'non', 'no'].map((word) => [word, false] as const),
]);

/** Undefined for words that are neither on nor off. */
export const means = (word: string): boolean | undefined => onOff.get(word);

/** Switches notifications in this chat, or one kind everywhere by its number. */
export const notices = signedIn(async (turn, { words }) => {
  const { ctx, t } = turn;
  const [first = '', second = ''] = words;
  const kinds = await ownSwitches(ctx);
  const kind = /^\d{1,2}$/.test(first) ? kinds[Number(first) - 1]?.kind : undefined;
  const on = onOff.get(kind ? second : first);
  if (on === undefined) offerKinds(turn, kinds);
  if (on === undefined)
    return {
      text: paragraphs(
        t('notices.ask'),
        noticeList(turn, kinds),
        t(hasMailbox(turn) ? 'notices.kinds' : 'notices.kindsBare'),
      ),
      buttons: noticeButtons(turn),
    };
  if (!kind) {
    turn.changes.notices = on;
    return { text: t(on ? 'notices.on' : hasMailbox(turn) ? 'notices.off' : 'notices.offBare') };
  }
  await switchNotification(ctx, kind, on);
  const now = await ownSwitches(ctx);
  offerKinds(turn, now);
  return { text: noticeList(turn, now) };
});

/** A printed number switches its kind over. */
function offerKinds({ ctx, state }: Turn, kinds: Awaited<ReturnType<typeof ownSwitches>>): void {
  state.choices = Object.fromEntries(
    kinds.map(({ on }, n) => [
      String(n + 1),
      typed(ctx.language, 'notices', n + 1, on ? 'off' : 'on'),
    ]),
  );
}

function noticeList({ ctx, t }: Turn, kinds: Awaited<ReturnType<typeof ownSwitches>>): string {
  const say = translator(ctx.language, 'account');
  return lines(
    ...kinds.map(({ kind, on }, n) =>
      t('notices.line', {
        number: String(n + 1),
        kind: say(`letters.kinds.${kind}`),
        state: t(on ? 'notices.isOn' : 'notices.isOff'),
      }),
    ),
  );
}

function noticeButtons(turn: Turn): Button[][] {
  const on = turn.chat.notices && turn.chat.stoppedAt === null;
  return [
    [button(turn, on ? 'button.noticesOff' : 'button.noticesOn', 'notices', on ? 'off' : 'on')],
  ];
}

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
