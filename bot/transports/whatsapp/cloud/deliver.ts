import { cloudErrors } from '../../../../api/chats/rules.ts';
import { refuseTemplate, templateRests } from '../../../../api/chats/undelivered.ts';
import type { Reply } from '../../../../api/core/chatMessages.ts';
import type { Ctx } from '../../../../api/core/context.ts';
import { Later, type Post, type Taken, Undeliverable } from '../../../../api/outbox/delivery.ts';
import { replyKind } from '../../../../api/outbox/outbox.ts';
import { morningKind } from '../../../../api/people/daily.ts';
import { replyWindow, windowOpen } from '../../../../api/people/window.ts';
import { translator } from '../../../../locales/index.ts';
import { chatPost, Gone } from '../../../delivery/chatPost.ts';
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

  return chatPost({
    channel: 'whatsapp',
    atOnce: 5,
    plain: unmarked,
    async send(ctx, { message, chat, reply, to, signal }) {
      try {
        if (windowOpen(chat.wroteAt, ctx.now()))
          return await sendTo(ctx, to, message, withAddresses(reply), signal);
        if (message.kind === morningKind)
          throw new Undeliverable('the person’s 24 hours ended before it was sent');
        if (message.kind === replyKind || !template || (await templateRests(ctx, 'whatsapp')))
          throw new Later(replyWindow.waitMs / 1000, 'the person’s 24 hours are over');
        await client.send(to, inTemplate(template, message.language, reply.text), signal);
      } catch (error) {
        if (error instanceof CloudError) throw await outcomeOf(ctx, error);
        throw error;
      }
    },
  });
}

/** The outcome of a refusal: later, never, or a chat that is gone. */
async function outcomeOf(ctx: Ctx, error: CloudError): Promise<Error> {
  const { code, status, message, retryAfter } = error;
  const afterWait = (fault = false) => new Later(replyWindow.waitMs / 1000, message, fault);
  if (code === cloudErrors.window) return afterWait();
  if (status === 429 || cloudErrors.pace.has(code)) return new Later(retryAfter ?? 6, message);
  if (cloudErrors.gone.has(code)) return new Gone(message);
  if (cloudErrors.template.has(code)) {
    await refuseTemplate(ctx, 'whatsapp', message);
    return afterWait(true);
  }
  if (status === 401 || status === 403 || (status < 500 && cloudErrors.account.has(code)))
    return new Later(60, message, true);
  // It would fail forever, and the chat's other messages wait behind it.
  return status === 400 ? new Undeliverable(`WhatsApp refuses it: ${message}`) : error;
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
