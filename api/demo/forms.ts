import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { Refusal } from '../core/errors.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import { chooseDemoPerson } from './choose.ts';
import { demoChoice } from './schema.ts';

/** The demo's sign-in provider under the market's own address, and the choice of who to be (decision 044). */
export const demoForms = new Hono<AppEnv>()
  .on(
    ['GET', 'POST'],
    '/demo/oidc/*',
    route({ who: everyone, tag: 'operation', summary: 'Demo mode only: an OpenID Connect provider that stands for Google' }),
    async (c) => {
      const { url, method, headers, body } = c.req.raw;
      const { demoProvider } = c.get('ctx').services;
      if (!demoProvider) throw new Refusal('notFound');
      const answer = await demoProvider.fetch(url, { method, headers, ...(body ? { body } : {}) });
      return new Response(answer.body, answer);
    },
  )
  .post(
    '/demo/sign-in',
    route({ who: everyone, tag: 'operation', summary: 'Demo mode only: choose who to be at that provider' }),
    valid('form', demoChoice),
    async (c) => {
      const { uid, email, name, proven, cancel } = c.req.valid('form');
      const next = await chooseDemoPerson(c.get('ctx'), uid, cancel === undefined && email ? { email, name, proven: proven === 'yes' } : null);
      return c.redirect(next ?? '/sign-in?google=over', 303);
    },
  );
