import { leaveChat } from '../../../api/chats/leaveChat.ts';
import { declineLink } from '../../../api/chats/linking/declineLink.ts';
import { linkChat } from '../../../api/chats/linking/linkChat.ts';
import { readLinkCode } from '../../../api/chats/linking/readLinkCode.ts';
import { signInFromChat } from '../../../api/chats/signInFromChat.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { paragraphs } from '../../delivery/layout.ts';
import type { Asked } from '../../understanding/state.ts';
import { accountWords, button, ownAccount } from '../say.ts';
import type { Answer, Args, Reply, Turn } from '../types.ts';

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

export const unlink = async (turn: Turn): Promise<Reply> => {
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
};

export async function left(
  { ctx, chat, state, t }: Turn,
  options?: { anyway: boolean },
): Promise<Reply> {
  await leaveChat(ctx, chat, options);
  forgetState(state);
  return { text: t('link.ended') };
}

export const signIn = async ({ ctx, t }: Turn): Promise<Reply> => {
  const { link: address } = await signInFromChat(ctx);
  return { text: t('signIn'), buttons: [[{ label: t('button.openSite'), url: address }]] };
};
