import { Hono } from 'hono';
import { activeSellers, admins, signedIn } from '../core/access.ts';
import { recordEvent } from '../engagement/record.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { sellerId } from '../sellers/schema.ts';
import { reopenChat } from './closed/reopenChat.ts';
import { giveLinkCode } from './linking/giveLinkCode.ts';
import { newLinkCode } from './linking/newLinkCode.ts';
import { ownChats } from './reads.ts';
import * as schema from './schema.ts';
import { makeStatusPicture } from './statusPicture.ts';
import { switchNotices } from './switchNotices.ts';
import { unlinkChat } from './unlinkChat.ts';

/** Routes of admins, at their sellers. */
export const adminChatRoutes = new Hono<AppEnv>().post(
  '/:id/chat-code',
  route({
    who: admins,
    tag: 'admin',
    summary: 'A code that links a chat to the seller’s account, after speaking to the person',
  }),
  valid('param', sellerId),
  async (c) => c.json(await giveLinkCode(c.get('ctx'), c.req.valid('param').id)),
);

/** Routes of sellers, at their products. */
export const statusPictureRoutes = new Hono<AppEnv>().post(
  '/:id/status-picture',
  route({
    who: activeSellers,
    tag: 'selling',
    summary: 'Where the picture of an own live listing for a status is; asking counts as a share',
  }),
  valid('param', productId),
  async (c) => {
    const { path, event } = await makeStatusPicture(c.get('ctx'), c.req.valid('param').id);
    await recordEvent(c.get('ctx'), event);
    return c.json({ path });
  },
);

const declared = (summary: string) => route({ who: signedIn, tag: 'accounts', summary });

export const chatRoutes = new Hono<AppEnv>()
  .get('/', declared('One’s own linked chats'), async (c) => c.json(await ownChats(c.get('ctx'))))
  .post(
    '/code',
    declared('A one-time code that links the chat in which it is typed; 15 minutes'),
    async (c) => c.json(await newLinkCode(c.get('ctx'))),
  )
  .put(
    '/:id',
    declared('Switch on or off what an own chat is told'),
    valid('param', schema.chatId),
    valid('json', schema.chatNotices),
    async (c) =>
      c.json(await switchNotices(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').on)),
  )
  .post(
    '/:id/open',
    declared('Open an own closed chat, which then acts for the account again'),
    valid('param', schema.chatId),
    async (c) => c.json(await reopenChat(c.get('ctx'), c.req.valid('param').id)),
  )
  .delete(
    '/:id',
    declared('End the link of an own chat'),
    valid('param', schema.chatId),
    async (c) => c.json(await unlinkChat(c.get('ctx'), c.req.valid('param').id)),
  );
