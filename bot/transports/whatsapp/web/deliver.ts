import { setTimeout as pause } from 'node:timers/promises';
import type { Post } from '../../../../api/outbox/delivery.ts';
import { chatPost, Gone } from '../../../delivery/chatPost.ts';
import { unmarked } from '../../../delivery/others.ts';
import { pictureFor } from '../../../delivery/pictures.ts';
import { inWords } from '../../../delivery/shown.ts';
import type { Session } from './session.ts';
import { chatIdOf } from './update.ts';

const most = { text: 4096, caption: 1024 };
/** Milliseconds. WhatsApp bars numbers that write like a machine, so messages go one at a time. */
const breathMs = 700;

/** Sends replies and notifications as text with numbers, because there are no buttons. */
export const webPost = (session: Session, breath = breathMs): Post =>
  chatPost({
    channel: 'whatsapp',
    atOnce: 1,
    plain: unmarked,
    async send(ctx, { message, reply, to: address, signal }) {
      const to = chatIdOf(address);
      if (!to) throw new Gone('it has no chat on WhatsApp');
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
        const gone = /invalid wid|not registered|no lid for user/i;
        if (error instanceof Error && gone.test(error.message)) throw new Gone(error.message);
        throw error;
      }
      await pause(breath);
    },
  });
