import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route } from '../core/http.ts';
import { demoOutbox, demoPeople } from './reads.ts';

export const demoRoutes = new Hono<AppEnv>()
  .get('/outbox', route({ who: everyone, tag: 'operation', summary: 'Demo mode only: the mails that were sent' }), async (c) => {
    return c.json({ messages: await demoOutbox(c.get('ctx')) });
  })
  .get('/people', route({ who: everyone, tag: 'operation', summary: 'Demo mode only: whom its sign-in provider knows' }), async (c) =>
    c.json(await demoPeople(c.get('ctx'))),
  );
