import { type Api, GrammyError, InputFile } from 'grammy';
import type {
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButton,
  ReplyKeyboardMarkup,
} from 'grammy/types';
import { keysFor } from '../../../api/chats/buttonKeys.ts';
import type { Button, Reply } from '../../../api/core/chatMessages.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { Later, type Post, type Taken, Undeliverable } from '../../../api/outbox/delivery.ts';
import { chatPost, Gone } from '../../delivery/chatPost.ts';
import { unlinked } from '../../delivery/others.ts';
import { pictureFor } from '../../delivery/pictures.ts';
import { inWords, saying, withAddresses } from '../../delivery/shown.ts';

/** Limits of Telegram: letters of a message, bytes behind a button. */
const most = { text: 4096, data: 64 };
type Keys = ReadonlyMap<string, string>;

const keyOf =
  (keys: Keys) =>
  (button: Button): InlineKeyboardButton[] => {
    if ('url' in button) return [{ text: button.label, url: button.url }];
    if (!('say' in button)) return [];
    return [{ text: button.label, callback_data: keys.get(button.say) ?? button.say }];
  };
const isTooLong = (text: string) => Buffer.byteLength(text) > most.data;
/** Only these keys can share a number. */
const bigKeyOf = (button: Button): KeyboardButton[] => {
  if ('askForContact' in button) return [{ text: button.label, request_contact: true }];
  return 'say' in button ? [{ text: button.say }] : [];
};

function markupOf(
  buttons: Button[][],
  short: Keys,
): {
  reply_markup?: InlineKeyboardMarkup | ReplyKeyboardMarkup;
} {
  const rowsOf = <T>(key: (button: Button) => T[]): T[][] =>
    buttons.map((row) => row.flatMap(key)).filter((row) => row.length > 0);
  if (buttons.flat().some((button) => 'askForContact' in button))
    return {
      reply_markup: { keyboard: rowsOf(bigKeyOf), one_time_keyboard: true, resize_keyboard: true },
    };
  const keys = rowsOf(keyOf(short));
  return keys.length > 0 ? { reply_markup: { inline_keyboard: keys } } : {};
}

/** Per process: Telegram's ids of sent pictures, and the newest message of each chat. */
type Known = {
  pictures: Map<string, string>;
  newest: Map<string, { id: string; isPhoto: boolean }>;
};
const mostKnown = 500;

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  if (known.size > mostKnown) known.delete(known.keys().next().value as string);
}

/** Sends replies and notifications; marks a chat that blocked the bot. */
export const telegramPost = (
  api: Api,
  known: Known = { pictures: new Map(), newest: new Map() },
): Post =>
  chatPost({
    channel: 'telegram',
    atOnce: 5,
    plain: unlinked,
    async send(ctx, { message, reply, to, signal }) {
      try {
        await sendTo({ api, known, ctx, address: to, signal }, message, withAddresses(reply));
      } catch (error) {
        if (!(error instanceof GrammyError)) throw error;
        const { error_code: code, description, parameters } = error;
        if (code === 429) throw new Later(parameters.retry_after ?? 5);
        if (isGone(error)) throw new Gone(description);
        if (code !== 400) throw error;
        // It would fail forever, and the chat's other messages wait behind it.
        throw new Undeliverable(`Telegram refuses it: ${description}`);
      }
    },
  });

const isGone = ({ error_code, description }: GrammyError): boolean =>
  error_code === 403 || /chat not found|user is deactivated/i.test(description);

type Sending = { api: Api; known: Known; ctx: Ctx; address: string; signal: AbortSignal };

/** Sends a reply with its picture and buttons, or plainly if Telegram refuses those. */
async function sendTo(sending: Sending, message: Taken, reply: Reply): Promise<void> {
  const { api, known, ctx, address, signal } = sending;
  const long = saying(reply).flatMap(({ say }) => (isTooLong(say) ? [say] : []));
  const markup = markupOf(reply.buttons ?? [], await keysFor(ctx, message.recipient, long));
  const plain = { link_preview_options: { is_disabled: true } };
  const keep = ({ message_id: id, photo }: Sent) => {
    remember(known.newest, address, { id: String(id), isPhoto: photo !== undefined });
    const file = photo?.at(-1)?.file_id;
    if (reply.picture && file) remember(known.pictures, reply.picture, file);
  };
  if (await edited(sending, reply, markup)) return;
  if (reply.picture)
    for await (const photo of photosOf(sending, reply.picture))
      if (
        await sent(() =>
          api
            .sendPhoto(address, photo, { caption: reply.text, ...markup }, signal as never)
            .then(keep),
        )
      )
        return;
  const whole = () =>
    api.sendMessage(address, reply.text, { ...plain, ...markup }, signal as never).then(keep);
  if (await sent(whole)) return;
  const words = await inWords(ctx, message.recipient, message.language, reply, most.text);
  keep(await api.sendMessage(address, words, plain, signal as never));
}
type Sent = { message_id: number; photo?: { file_id: string }[] };

/** A picture by Telegram's id, if it has it, then as a file. */
async function* photosOf(
  { ctx, known }: Pick<Sending, 'ctx' | 'known'>,
  key: string,
): AsyncGenerator<string | InputFile> {
  const id = known.pictures.get(key);
  if (id) yield id;
  known.pictures.delete(key);
  const jpeg = await pictureFor(ctx, key);
  if (jpeg) yield new InputFile(jpeg, 'picture.jpg');
}

/** Changes the chat's newest message into the reply; false if it must be sent. */
async function edited(
  sending: Sending,
  { replaces, text, picture }: Reply,
  markup: ReturnType<typeof markupOf>,
): Promise<boolean> {
  const { api, known, address, signal } = sending;
  const newest = known.newest.get(address);
  const inline = markup.reply_markup === undefined || 'inline_keyboard' in markup.reply_markup;
  // A message with a photo keeps one.
  if (!replaces || newest?.id !== replaces || !inline || (newest.isPhoto && !picture)) return false;
  const options = markup as { reply_markup?: InlineKeyboardMarkup };
  const id = Number(replaces);
  if (!picture)
    return sent(() =>
      api.editMessageText(
        address,
        id,
        text,
        { link_preview_options: { is_disabled: true }, ...options },
        signal as never,
      ),
    );
  for await (const media of photosOf(sending, picture))
    if (
      await sent(async () => {
        const changed = await api.editMessageMedia(
          address,
          id,
          { type: 'photo', media, caption: text },
          options,
          signal as never,
        );
        const file = changed === true ? undefined : changed.photo?.at(-1)?.file_id;
        if (file) remember(known.pictures, picture, file);
        remember(known.newest, address, { id: replaces, isPhoto: true });
      })
    )
      return true;
  return false;
}

/** False if Telegram refuses the form of the message; one that is the same already counts as changed. */
async function sent(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof GrammyError && error.error_code === 400 && !isGone(error))
      return /message is not modified/i.test(error.description);
    throw error;
  }
}
