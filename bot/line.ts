import type { Incoming } from '../api/chats/inbox.ts';
import type { Ctx } from '../api/core/context.ts';
import type { Post } from '../api/core/delivery.ts';
import type { JobHost } from '../jobs/run.ts';
import type { FetchPhoto } from './photos.ts';

type Stop = () => Promise<unknown>;

/** What a network is opened with: the market, who acts there, and what is done with each message. */
export type Opening = { host: JobHost; ctx: Ctx; receive(incoming: Incoming): Promise<void> };

/** One network of the bot, in one of the ways in which it is reached. */
export type Line = {
  transport: Incoming['transport'];
  /** The bytes of a photo that somebody sent. */
  fetchPhoto: FetchPhoto;
  /** Begins to hear and, with `deliver`, to send; answers what ends it. Nothing that fails there reaches whoever called. */
  start(deliver: (post: Post) => Promise<Stop>): Promise<Stop>;
};
