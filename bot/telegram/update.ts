import type { Update } from 'grammy/types';
import type { Incoming } from '../../api/chats/inbox.ts';

/** What this bot wants to hear of. */
export const wantedUpdates = ['message', 'callback_query', 'my_chat_member'] as const;

/** What an update is here: a message, the end of a chat, or nothing, as in every group: what is said there is not one person's. */
export type Heard = { message: Incoming; pressed?: string } | { blocked: string };

/** The number of a contact that somebody shared, where it is their own: Telegram says whose it is. Anybody else's proves nothing. */
function numberOf({ message }: Update): { number?: string } {
  const contact = message?.contact;
  if (!contact || contact.user_id === undefined || contact.user_id !== message.from?.id) return {};
  const digits = contact.phone_number.replaceAll(/\D/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? { number: `+${digits}` } : {};
}

export function readUpdate(botId: number, update: Update): Heard | undefined {
  const updateId = `${botId}:${update.update_id}`;
  const from = (address: number, text: string, pressed?: string): Heard => ({
    message: { transport: 'telegram', address: String(address), updateId, message: { text, ...numberOf(update) } },
    ...(pressed === undefined ? {} : { pressed }),
  });
  const { message, callback_query: press, my_chat_member: member } = update;
  if (message?.chat.type === 'private') return from(message.chat.id, message.text ?? message.caption ?? '');
  if (press?.message?.chat.type === 'private' && press.data !== undefined) return from(press.message.chat.id, press.data, press.id);
  if (member?.chat.type === 'private' && member.new_chat_member.status === 'kicked') return { blocked: String(member.chat.id) };
  return undefined;
}
