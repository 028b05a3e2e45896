import * as z from 'zod/mini';
import type { Incoming } from '../../../api/chats/inbox.ts';
import type { Message as Said } from '../../../api/core/chatMessages.ts';
import { townAt } from '../../../api/shared/places/townAt.ts';

export const wantedUpdates = [
  'message',
  'edited_message',
  'callback_query',
  'my_chat_member',
] as const;

/** A message or a blocked chat; group messages do not come from one person and are ignored. */
export type Heard = { message: Incoming; pressed?: string } | { blocked: string };

/** An unreadable field counts as missing; Telegram may change it. */
const readable = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);
const text = readable(z.string());
const person = z.looseObject({ id: z.int(), language_code: text });
const chat = z.looseObject({ id: z.int(), type: z.string() });
const file = z.looseObject({ file_id: z.string(), mime_type: text });
const message = z.looseObject({
  chat,
  message_id: readable(z.int()),
  /** Seconds. Messages wait at Telegram while nobody asks for them. */
  date: readable(z.int()),
  edit_date: readable(z.int()),
  from: readable(person),
  text,
  caption: text,
  contact: readable(z.looseObject({ phone_number: z.string(), user_id: readable(z.int()) })),
  photo: readable(z.array(file)),
  document: readable(file),
  location: readable(z.looseObject({ latitude: z.number(), longitude: z.number() })),
  media_group_id: text,
});
const updated = z.looseObject({
  update_id: z.int(),
  message: readable(message),
  edited_message: readable(message),
  callback_query: readable(
    z.looseObject({
      id: z.string(),
      data: text,
      from: readable(person),
      message: readable(
        z.looseObject({ chat, date: readable(z.int()), message_id: readable(z.int()) }),
      ),
    }),
  ),
  my_chat_member: readable(
    z.looseObject({ chat, new_chat_member: z.looseObject({ status: z.string() }) }),
  ),
});
type Message = z.output<typeof message>;

/** Only the sender's own number counts, as Telegram says. */
function contactIn({ contact, from }: Message): Pick<Said, 'number' | 'anothersContact'> {
  if (!contact) return {};
  const digits = contact.phone_number.replaceAll(/\D/g, '');
  const own =
    contact.user_id !== undefined && contact.user_id === from?.id && /^[1-9]\d{6,14}$/.test(digits);
  return own ? { number: `+${digits}` } : { anothersContact: true };
}

/** The largest size, also when sent as a file. */
function photosIn({ photo, document, media_group_id: album }: Message): Pick<Said, 'photos'> {
  const ref =
    photo?.at(-1)?.file_id ??
    (/^image\//.test(document?.mime_type ?? '') ? document?.file_id : undefined);
  return ref === undefined ? {} : { photos: [{ ref, ...(album === undefined ? {} : { album }) }] };
}

function contentOf(message: Message): Said {
  const { text, caption, contact, location } = message;
  const photos = photosIn(message);
  // The place itself is not stored.
  const town = location && townAt(location.latitude, location.longitude);
  if (town) return { text: town };
  if (text === undefined && !contact && !photos.photos) return { text: '', wordless: true };
  return { text: text ?? caption ?? '', ...contactIn(message), ...photos };
}

/** `fr-CM` is French. */
const languageCode = (code: string | undefined): Pick<Said, 'language'> =>
  code === undefined ? {} : { language: code.slice(0, 2).toLowerCase() };

export function readUpdate(botId: number, given: unknown): Heard | undefined {
  const update = updated.safeParse(given).data;
  if (!update) return undefined;
  const updateId = `${botId}:${update.update_id}`;
  const from = (address: number, said: Said): Incoming => ({
    transport: 'telegram',
    address: String(address),
    updateId,
    message: said,
  });
  const moment = (seconds: number) => new Date(seconds * 1000);
  const { message, edited_message: edited, callback_query: press, my_chat_member: member } = update;
  const spoken = languageCode((message ?? edited ?? press)?.from?.language_code);
  if (message?.chat.type === 'private') {
    const { date, message_id: id, text: typed } = message;
    const at = date === undefined ? {} : { at: moment(date) };
    const said = {
      ...contentOf(message),
      ...(typed === undefined || id === undefined ? {} : { id: String(id) }),
    };
    return { message: { ...from(message.chat.id, { ...said, ...spoken }), ...at } };
  }
  // A place that is shared live comes as edits, too.
  const words = edited?.text ?? edited?.caption;
  if (edited?.chat.type === 'private' && words !== undefined) {
    const { edit_date: date, message_id: id = 0 } = edited;
    const at = date === undefined ? {} : { at: moment(date) };
    return {
      message: { ...from(edited.chat.id, { text: words, edits: String(id), ...spoken }), ...at },
    };
  }
  if (press?.message?.chat.type === 'private' && press.data !== undefined) {
    const { chat, date, message_id: id } = press.message;
    const below = id === undefined ? {} : { pressed: String(id) };
    // A button answers the question below which it was sent, never a later one.
    const at = date === undefined ? {} : { at: moment(date).toISOString() };
    return {
      message: from(chat.id, { text: press.data, ...below, ...spoken, ...at }),
      pressed: press.id,
    };
  }
  if (member?.chat.type === 'private' && member.new_chat_member.status === 'kicked')
    return { blocked: String(member.chat.id) };
  return undefined;
}
