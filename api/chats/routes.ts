import { Hono } from 'hono';
import { signedIn } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { newLinkCode } from './linking/newLinkCode.ts';
import { ownChats } from './reads.ts';
import * as schema from './schema.ts';
import { switchNotices } from './switchNotices.ts';
import { unlinkChat } from './unlinkChat.ts';

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
  .delete(
    '/:id',
    declared('End the link of an own chat'),
    valid('param', schema.chatId),
    async (c) => c.json(await unlinkChat(c.get('ctx'), c.req.valid('param').id)),
  );
