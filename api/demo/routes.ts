import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { readDemoChat } from './chat.ts';
import { demoOutbox, demoPeople } from './reads.ts';
import { demoChat } from './schema.ts';

export const demoRoutes = new Hono<AppEnv>()
  .get(
    '/outbox',
    route({ who: everyone, tag: 'operation', summary: 'Demo mode only: the mails that were sent' }),
    async (c) => {
      return c.json({ messages: await demoOutbox(c.get('ctx')) });
    },
  )
  .get(
    '/people',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: whom its sign-in provider knows',
    }),
    async (c) => c.json(await demoPeople(c.get('ctx'))),
  )
  .get(
    '/chat',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: what stands in this browser’s own chat',
    }),
    valid('query', demoChat),
    async (c) => {
      const { wait, ...asked } = c.req.valid('query');
      return c.json(await readDemoChat(c.get('ctx'), { ...asked, wait: wait !== undefined }));
    },
  );
