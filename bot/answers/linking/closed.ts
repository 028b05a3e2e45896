import { askBack } from '../../../api/chats/closed/askBack.ts';
import { reopenChat } from '../../../api/chats/closed/reopenChat.ts';
import { ownChats } from '../../../api/chats/reads.ts';
import { unlinkChat } from '../../../api/chats/unlinkChat.ts';
import { teamContact } from '../../../api/sellers/reads.ts';
import { phoneText } from '../../../api/shared/contact/readPhone.ts';
import { dayAndTime } from '../../../api/shared/format.ts';
import { translator } from '../../../locales/index.ts';
import { lines, paragraphs } from '../../delivery/layout.ts';
import { button, isClosed } from '../say.ts';
import type { Answer, Args, Reply, Turn } from '../types.ts';

/** Says why the chat acts for nobody, and the ways back. */
export const closedReply = (turn: Turn, why: string): Reply => ({
  text: paragraphs(why, whyClosed(turn), turn.t('closed.ways')),
  buttons: [[button(turn, 'button.askBack', 'reopen'), button(turn, 'button.market', 'market')]],
});

/** False for an open chat. */
export const whyClosed = ({ chat, t }: Turn): string | false =>
  chat.closedWhy !== null && t(`closed.${chat.closedWhy}`);

/** Asks, in a closed chat, to come back; in another of the account opens a closed one. */
export async function reopen(turn: Turn, { words }: Args): Promise<Answer> {
  if (isClosed(turn)) return asked(turn);
  const closed = await closedChats(turn);
  const chosen = closed.find((chat) => hexOf(chat) === words[0]);
  if (!chosen) return askWhich(turn, closed);
  await reopenChat(turn.ctx, chosen.id);
  return { text: turn.t('closed.opened') };
}

/** Unlinks a closed chat that belongs to another person now. */
export async function disown(turn: Turn, { words }: Args): Promise<Answer> {
  const closed = await closedChats(turn);
  const chosen = closed.find((chat) => hexOf(chat) === words[0]);
  if (!chosen) return askWhich(turn, closed);
  await unlinkChat(turn.ctx, chosen.id);
  return { text: turn.t('closed.disowned') };
}

type OwnChat = Awaited<ReturnType<typeof ownChats>>['chats'][number];
const closedChats = async ({ ctx }: Turn): Promise<OwnChat[]> =>
  (await ownChats(ctx)).chats.filter(({ closed }) => closed);
const hexOf = ({ id }: OwnChat): string => id.replaceAll('-', '');

async function asked({ ctx, chat, t }: Turn): Promise<Reply> {
  const { told, opensAt } = await askBack(ctx, chat);
  if (told)
    return {
      text: opensAt
        ? t('closed.asked', { date: dayAndTime(opensAt, ctx.language) })
        : t('closed.askedAdmin'),
    };
  const { email, whatsapp } = await teamContact(ctx);
  const address = email ?? (whatsapp && phoneText(whatsapp));
  return { text: paragraphs(t('closed.nobody'), address && lines(t('closed.team'), address)) };
}

function askWhich(turn: Turn, closed: readonly OwnChat[]): Answer {
  const { ctx, t } = turn;
  const account = translator(ctx.language, 'account');
  if (closed.length === 0) return { text: t('closed.none') };
  return closed.map((chat) => ({
    text: t('closed.which', {
      channel: account(`chats.transports.${chat.transport}`),
      date: dayAndTime(new Date(chat.linkedAt ?? ctx.now()), ctx.language),
    }),
    buttons: [
      [
        button(turn, 'button.reopen', 'reopen', hexOf(chat)),
        button(turn, 'button.disown', 'disown', hexOf(chat)),
      ],
    ],
  }));
}
