import { Hono } from 'hono';
import * as z from 'zod/mini';
import { admins } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { email } from '../../shared/email.ts';
import { giveModerator } from './giveModerator.ts';
import { teamOf } from './reads.ts';
import { takeModerator } from './takeModerator.ts';

const address = z.strictObject({ email });
const account = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

/** Admins and moderators (product R60). */
export const teamRoutes = new Hono<AppEnv>()
  .get('/', route({ who: admins, tag: 'admin', summary: 'Admins and moderators' }), async (c) =>
    c.json(await teamOf(c.get('ctx'))),
  )
  .post(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Make the account of an address a moderator’s' }),
    valid('json', address),
    async (c) => c.json(await giveModerator(c.get('ctx'), c.req.valid('json').email)),
  )
  .delete(
    '/:id',
    route({ who: admins, tag: 'admin', summary: 'Make a moderator a member again' }),
    valid('param', account),
    async (c) => c.json(await takeModerator(c.get('ctx'), c.req.valid('param').id)),
  );
