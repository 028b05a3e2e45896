import type { Incoming } from '../../api/chats/inbox.ts';
import type { Ctx } from '../../api/core/context.ts';
import type { JobHost } from '../../api/core/jobContext.ts';
import type { Post } from '../../api/outbox/delivery.ts';
import type { FetchPhoto } from '../messages/photos.ts';

type Stop = () => Promise<unknown>;

export type Opening = { host: JobHost; ctx: Ctx; receive(incoming: Incoming): Promise<void> };

export type BotTransport = {
  transport: Incoming['transport'];
  fetchPhoto: FetchPhoto;
  /**
   * Begins to receive and, with `deliver`, to send; returns a function that ends both. Connection
   * failures are not thrown.
   */
  start(deliver: (post: Post) => Promise<Stop>): Promise<Stop>;
};
