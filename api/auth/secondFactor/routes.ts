import { type Context, Hono } from 'hono';
import { moderators } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import type { Auth } from '../auth.ts';
import { beginFactor, confirmFactor, endFactor } from '../schema.ts';
import { beginSecondFactor } from './beginSecondFactor.ts';
import { confirmSecondFactor } from './confirmSecondFactor.ts';
import { endSecondFactor } from './endSecondFactor.ts';
import { readSecondFactor } from './secondFactor.ts';

/** Routes of an admin's own second factor (decision 006). */
export function secondFactorRoutes(auth: Auth) {
  const withAuth = (c: Context<AppEnv>) => ({ ...c.get('ctx'), auth });
  return new Hono<AppEnv>()
    .get(
      '/',
      route({ who: moderators, tag: 'admin', summary: 'Whether one’s own second factor is on' }),
      async (c) => c.json(await readSecondFactor(c.get('ctx'))),
    )
    .post(
      '/begin',
      route({ who: moderators, tag: 'admin', summary: 'Begin turning the second factor on' }),
      valid('json', beginFactor),
      async (c) => c.json(await beginSecondFactor(withAuth(c), c.req.valid('json'))),
    )
    .post(
      '/confirm',
      route({
        who: moderators,
        tag: 'admin',
        summary: 'Turn the second factor on with a first code; answers the backup codes',
      }),
      valid('json', confirmFactor),
      async (c) => c.json(await confirmSecondFactor(c.get('ctx'), c.req.valid('json'))),
    )
    .post(
      '/end',
      route({ who: moderators, tag: 'admin', summary: 'Turn the second factor off' }),
      valid('json', endFactor),
      async (c) => {
        await endSecondFactor(withAuth(c), c.req.valid('json'));
        return c.json({ ended: true });
      },
    );
}
