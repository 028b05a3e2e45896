import { endChat } from '../../../api/chats/chat.ts';
import type { Incoming } from '../../../api/chats/inbox.ts';
import { toSend } from '../../../api/chats/replies.ts';
import type { Ctx } from '../../../api/core/context.ts';
import type { Post } from '../../../api/outbox/delivery.ts';
import { chatKey, openAddress } from '../../../api/people/chats.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import type { FetchPhoto } from '../../messages/photos.ts';

type Stop = () => Promise<unknown>;

/**
 * The demo's own network (`/demo/chat`), used instead of Telegram with the same messages, outbox
 * and turns.
 */
export function demoTransport({
  ctx,
  receive,
}: {
  ctx: Ctx;
  receive(incoming: Incoming): Promise<void>;
}) {
  const network = ctx.services.demoNetwork;
  if (!network) return undefined;
  const { secret, log } = ctx.services;
  const end = (address: string) => endChat(ctx, chatKey(secret, 'telegram', address));

  const post: Post = {
    channel: 'telegram',
    atOnce: 5,
    async send(sender, message) {
      const found = await toSend(sender, message.recipient, message);
      if (found) network.show(openAddress(secret, found.chat), found.reply);
    },
  };
  const fetchPhoto: FetchPhoto = async (ref, most) => {
    const photo = network.photo(ref);
    if (!photo) throw new Refusal('uploads.notImage');
    if (photo.bytes.byteLength > most) throw new Refusal('uploads.tooBig');
    return photo.bytes;
  };

  return {
    transport: 'telegram' as const,
    fetchPhoto,
    async start(deliver: (post: Post) => Promise<Stop>): Promise<Stop> {
      const quiet = await deliver(post);
      const deaf = network.listen(
        (heard) => receive({ transport: 'telegram', ...heard }),
        (address) =>
          void end(address).catch((error) =>
            log.warn('A chat of the demo could not be ended', { error }),
          ),
      );
      return async () => {
        deaf();
        await quiet();
        // Their screens exist only in this process.
        for (const address of network.addresses()) await end(address);
      };
    },
  };
}
