import type { Message, Update } from 'grammy/types';
import type { Incoming, Message as Said } from '../../api/chats/inbox.ts';

/** What this bot wants to hear of. */
export const wantedUpdates = ['message', 'callback_query', 'my_chat_member'] as const;

/** What an update is here: a message, the end of a chat, or nothing, as in every group: what is said there is not one person's. */
export type Heard = { message: Incoming; pressed?: string } | { blocked: string };

/** The number of a contact that somebody shared, where it is their own: Telegram says whose it is. Anybody else's proves nothing. */
function contactIn({ contact, from }: Message): Pick<Said, 'number' | 'anothersContact'> {
  if (!contact) return {};
  const digits = contact.phone_number.replaceAll(/\D/g, '');
  const own = contact.user_id !== undefined && contact.user_id === from?.id && /^[1-9]\d{6,14}$/.test(digits);
  return own ? { number: `+${digits}` } : { anothersContact: true };
}

/** The photo of a message in its largest size, also when it was sent as a file. */
function photosIn({ photo, document, media_group_id: album }: Message): Pick<Said, 'photos'> {
  const ref = photo?.at(-1)?.file_id ?? (/^image\//.test(document?.mime_type ?? '') ? document?.file_id : undefined);
  return ref === undefined ? {} : { photos: [{ ref, ...(album === undefined ? {} : { album }) }] };
}

function contentOf(message: Message): Said {
  const { text, caption, contact } = message;
  const photos = photosIn(message);
  if (text === undefined && !contact && !photos.photos) return { text: '', wordless: true };
  return { text: text ?? caption ?? '', ...contactIn(message), ...photos };
}

export function readUpdate(botId: number, update: Update): Heard | undefined {
  const updateId = `${botId}:${update.update_id}`;
  const from = (address: number, said: Said, pressed?: string): Heard => ({
    message: { transport: 'telegram', address: String(address), updateId, message: said },
    ...(pressed === undefined ? {} : { pressed }),
  });
  const { message, callback_query: press, my_chat_member: member } = update;
  if (message?.chat.type === 'private') return from(message.chat.id, contentOf(message));
  if (press?.message?.chat.type === 'private' && press.data !== undefined) return from(press.message.chat.id, { text: press.data }, press.id);
  if (member?.chat.type === 'private' && member.new_chat_member.status === 'kicked') return { blocked: String(member.chat.id) };
  return undefined;
}
