import { type Api, GrammyError, InputFile } from 'grammy';
import type {
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButton,
  ReplyKeyboardMarkup,
} from 'grammy/types';
import { keysFor } from '../../../api/chats/buttonKeys.ts';
import { blockChat, toSend } from '../../../api/chats/replies.ts';
import { forgetUnshown } from '../../../api/chats/unshown.ts';
import type { Button, Reply } from '../../../api/core/chatMessages.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { Later, type Post, type Taken, Undeliverable } from '../../../api/outbox/delivery.ts';
import { openAddress } from '../../../api/people/chats.ts';
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

/** Sends replies and notifications; marks a chat that blocked the bot. */
export const telegramPost = (api: Api): Post => ({
  channel: 'telegram',
  atOnce: 5,
  backoffMs: (attempts) => 2000 * 4 ** (attempts - 1),
  lost: forgetUnshown,
  async send(ctx, message, signal) {
    const found = await toSend(ctx, message.recipient, message);
    if (!found) return;
    const { chat } = found;
    const reply = { ...found.reply, text: unlinked(found.reply.text) };
    try {
      const address = openAddress(ctx.services.secret, chat);
      await sendTo(api, ctx, message, address, withAddresses(reply), signal);
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error;
      const { error_code: code, description, parameters } = error;
      if (code === 429) throw new Later(parameters.retry_after ?? 5);
      if (isGone(error)) return blockChat(ctx, chat);
      if (code !== 400) throw error;
      // It would fail forever, and the chat's other messages wait behind it.
      throw new Undeliverable(`Telegram refuses it: ${description}`);
    }
  },
});

const isGone = ({ error_code, description }: GrammyError): boolean =>
  error_code === 403 || /chat not found|user is deactivated/i.test(description);

/** Sends a reply with its picture and buttons, or plainly if Telegram refuses those. */
async function sendTo(
  api: Api,
  ctx: Ctx,
  message: Taken,
  address: string,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const long = saying(reply).flatMap(({ say }) => (isTooLong(say) ? [say] : []));
  const markup = markupOf(reply.buttons ?? [], await keysFor(ctx, message.recipient, long));
  const plain = { link_preview_options: { is_disabled: true } };
  const jpeg = reply.picture && (await pictureFor(ctx, reply.picture));
  if (
    jpeg &&
    (await sent(() =>
      api.sendPhoto(
        address,
        new InputFile(jpeg, 'picture.jpg'),
        { caption: reply.text, ...markup },
        signal as never,
      ),
    ))
  )
    return;
  const whole = () =>
    api.sendMessage(address, reply.text, { ...plain, ...markup }, signal as never);
  if (await sent(whole)) return;
  const words = await inWords(ctx, message.recipient, message.language, reply, most.text);
  await api.sendMessage(address, words, plain, signal as never);
}

/** False if Telegram refuses the form of the message. */
async function sent(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof GrammyError && error.error_code === 400 && !isGone(error)) return false;
    throw error;
  }
}
