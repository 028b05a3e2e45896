import { blockChat, toSend } from '../../../../api/chats/replies.ts';
import { cloudErrors, replyWindow, windowOpen } from '../../../../api/chats/rules.ts';
import { refuseTemplate, templateRests } from '../../../../api/chats/undelivered.ts';
import { forgetUnshown } from '../../../../api/chats/unshown.ts';
import type { Reply } from '../../../../api/core/chatMessages.ts';
import type { Ctx } from '../../../../api/core/context.ts';
import { Later, type Post, type Taken, Undeliverable } from '../../../../api/outbox/delivery.ts';
import { replyKind } from '../../../../api/outbox/outbox.ts';
import { openAddress } from '../../../../api/people/chats.ts';
import { translator } from '../../../../locales/index.ts';
import { unmarked } from '../../../delivery/others.ts';
import { pictureFor } from '../../../delivery/pictures.ts';
import { inWords, withAddresses } from '../../../delivery/shown.ts';
import { type CloudClient, CloudError } from './client.ts';
import { inPicture, inTemplate, inText, most, withButtons } from './compose.ts';

/** Ids are valid for thirty days; reused for one. */
const idLivesMs = 86_400_000;
const mostIds = 200;

/**
 * Sends through the Cloud API: freely within 24 hours of the person's last message. Later,
 * notifications use the template if there is one; everything else waits.
 */
export function cloudPost(client: CloudClient, template: string | undefined): Post {
  const ids = new Map<string, { id: string; at: number }>();

  async function imageOf(
    ctx: Ctx,
    { picture: key }: Reply,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (!key) return undefined;
    const now = ctx.now().getTime();
    const known = ids.get(key);
    if (known && now - known.at < idLivesMs) return known.id;
    const jpeg = await pictureFor(ctx, key);
    if (!jpeg) return undefined;
    const id = await client.upload(jpeg, signal);
    ids.set(key, { id, at: now });
    if (ids.size > mostIds) ids.delete(ids.keys().next().value as string);
    return id;
  }

  async function sendTo(
    ctx: Ctx,
    to: string,
    message: Taken,
    reply: Reply,
    signal: AbortSignal,
  ): Promise<void> {
    const image = await imageOf(ctx, reply, signal);
    const shaped = withButtons(reply, translator(message.language, 'bot')('choose'), image);
    if (shaped && (await taken(() => client.send(to, shaped, signal)))) return;
    const text = await inWords(ctx, message.recipient, message.language, reply, most.text);
    if (!image) return client.send(to, inText(text), signal);
    const short = Array.from(text).length <= most.caption;
    await client.send(to, inPicture(image, short ? text : undefined), signal);
    if (!short) await client.send(to, inText(text), signal);
  }

  return {
    channel: 'whatsapp',
    atOnce: 5,
    backoffMs: (attempts) => 2000 * 4 ** (attempts - 1),
    lost: forgetUnshown,
    async send(ctx, message, signal) {
      const found = await toSend(ctx, message.recipient, message);
      if (!found) return;
      const { chat } = found;
      const reply = { ...found.reply, text: unmarked(found.reply.text) };
      const to = openAddress(ctx.services.secret, chat);
      try {
        if (windowOpen(chat.wroteAt, ctx.now()))
          return await sendTo(ctx, to, message, withAddresses(reply), signal);
        if (message.kind === replyKind || !template || (await templateRests(ctx, 'whatsapp')))
          throw new Later(replyWindow.waitMs / 1000, 'the person’s 24 hours are over');
        await client.send(to, inTemplate(template, message.language, reply.text), signal);
      } catch (error) {
        if (!(error instanceof CloudError)) throw error;
        const { code, status } = error;
        if (code === cloudErrors.window) throw new Later(replyWindow.waitMs / 1000, error.message);
        if (status === 429 || cloudErrors.pace.has(code))
          throw new Later(error.retryAfter ?? 6, error.message);
        if (cloudErrors.gone.has(code)) return blockChat(ctx, chat);
        if (cloudErrors.template.has(code)) {
          await refuseTemplate(ctx, 'whatsapp', error.message);
          throw new Later(replyWindow.waitMs / 1000, error.message, true);
        }
        if (status === 401 || status === 403 || (status < 500 && cloudErrors.account.has(code)))
          throw new Later(60, error.message, true);
        if (status !== 400) throw error;
        // It would fail forever, and the chat's other messages wait behind it.
        throw new Undeliverable(`WhatsApp refuses it: ${error.message}`);
      }
    },
  };
}

/** False if WhatsApp refuses the form of a message, not its recipient, its pace or the account. */
async function taken(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (!(error instanceof CloudError) || error.status !== 400) throw error;
    const { pace, account, gone, window } = cloudErrors;
    const known = error.code === window || [pace, account, gone].some((of) => of.has(error.code));
    if (known) throw error;
    return false;
  }
}
