import { type Api, GrammyError, InputFile } from 'grammy';
import type {
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButton,
  ReplyKeyboardMarkup,
} from 'grammy/types';
import { blockChat, toSend } from '../../api/chats/replies.ts';
import type { Button } from '../../api/core/chatMessages.ts';
import { Later, type Post } from '../../api/outbox/delivery.ts';
import { openAddress } from '../../api/people/chats.ts';
import { pictureFor } from '../pictures.ts';

const keyOf = (button: Button): InlineKeyboardButton[] => {
  if ('url' in button) return [{ text: button.label, url: button.url }];
  return 'say' in button ? [{ text: button.label, callback_data: button.say.slice(0, 64) }] : [];
};
/** Only these keys can share a number. */
const bigKeyOf = (button: Button): KeyboardButton[] => {
  if ('askForContact' in button) return [{ text: button.label, request_contact: true }];
  return 'say' in button ? [{ text: button.say }] : [];
};

function markupOf(buttons: Button[][]): {
  reply_markup?: InlineKeyboardMarkup | ReplyKeyboardMarkup;
} {
  const rowsOf = <T>(key: (button: Button) => T[]): T[][] =>
    buttons.map((row) => row.flatMap(key)).filter((row) => row.length > 0);
  if (buttons.flat().some((button) => 'askForContact' in button))
    return {
      reply_markup: { keyboard: rowsOf(bigKeyOf), one_time_keyboard: true, resize_keyboard: true },
    };
  const keys = rowsOf(keyOf);
  return keys.length > 0 ? { reply_markup: { inline_keyboard: keys } } : {};
}

/** Sends replies and notifications; marks a chat that blocked the bot. */
export const telegramPost = (api: Api): Post => ({
  channel: 'telegram',
  atOnce: 5,
  backoffMs: (attempts) => 2000 * 4 ** (attempts - 1),
  async send(ctx, message, signal) {
    const found = await toSend(ctx, message.recipient, message);
    if (!found) return;
    const { chat, reply } = found;
    const markup = markupOf(reply.buttons ?? []);
    try {
      const address = openAddress(ctx.services.secret, chat);
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
      await api.sendMessage(
        address,
        reply.text,
        { link_preview_options: { is_disabled: true }, ...markup },
        signal as never,
      );
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error;
      const { error_code: code, description, parameters } = error;
      if (code === 429) throw new Later(parameters.retry_after ?? 5);
      if (code === 403 || /chat not found|user is deactivated/i.test(description))
        return blockChat(ctx, chat);
      // A malformed message would fail forever, and the chat's other messages wait behind it.
      if (code !== 400) throw error;
      ctx.services.log.error('Telegram refused a message, which is not sent', {
        chat: chat.keyHash,
        kind: message.kind,
        description,
      });
    }
  },
});

/** False if Telegram refuses the picture; the text then goes alone. */
async function sent(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (
      error instanceof GrammyError &&
      error.error_code === 400 &&
      !/chat not found/i.test(error.description)
    )
      return false;
    throw error;
  }
}
