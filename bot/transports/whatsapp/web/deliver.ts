import { setTimeout as pause } from 'node:timers/promises';
import { blockChat, toSend } from '../../../../api/chats/replies.ts';
import { forgetUnshown } from '../../../../api/chats/unshown.ts';
import type { Post } from '../../../../api/outbox/delivery.ts';
import { openAddress } from '../../../../api/people/chats.ts';
import { unmarked } from '../../../delivery/others.ts';
import { pictureFor } from '../../../delivery/pictures.ts';
import { inWords } from '../../../delivery/shown.ts';
import type { Session } from './session.ts';
import { chatIdOf } from './update.ts';

const most = { text: 4096, caption: 1024 };
/** Milliseconds. WhatsApp bars numbers that write like a machine, so messages go one at a time. */
const breathMs = 700;

/** Sends replies and notifications as text with numbers, because there are no buttons. */
export const webPost = (session: Session, breath = breathMs): Post => ({
  channel: 'whatsapp',
  atOnce: 1,
  backoffMs: (attempts) => 2000 * 4 ** (attempts - 1),
  lost: forgetUnshown,
  async send(ctx, message, signal) {
    const found = await toSend(ctx, message.recipient, message);
    if (!found) return;
    const { chat } = found;
    const reply = { ...found.reply, text: unmarked(found.reply.text) };
    const to = chatIdOf(openAddress(ctx.services.secret, chat));
    if (!to) return blockChat(ctx, chat);
    const picture = reply.picture && (await pictureFor(ctx, reply.picture));
    const text = await inWords(ctx, message.recipient, message.language, reply, most.text);
    const below = picture && Array.from(text).length <= most.caption;
    try {
      if (picture)
        await session.send(
          { to, text: below ? text : '', jpeg: Buffer.from(picture).toString('base64') },
          signal,
        );
      if (!below) await session.send({ to, text }, signal);
    } catch (error) {
      if (
        error instanceof Error &&
        /invalid wid|not registered|no lid for user/i.test(error.message)
      )
        return blockChat(ctx, chat);
      throw error;
    }
    await pause(breath);
  },
});
