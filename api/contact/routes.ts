import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { ensureVisitor } from '../core/cookies.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import { productReferred } from '../products/schema.ts';
import { checkContactLimit, requestContact } from './request.ts';
import { contactRequest } from './schema.ts';

/** The doors to a seller (marketplace §7 Contact). */
export const contactRoutes = new Hono<AppEnv>()
  .get('/contact/limit', route({ who: everyone, tag: 'contact', summary: 'Whether one more contact request would pass the limit' }), async (c) => {
    return c.json({ allowed: await checkContactLimit(c.get('ctx')) });
  })
  .post(
    '/products/:id/contact',
    route({ who: everyone, tag: 'contact', summary: 'With consent: the seller’s number and the WhatsApp link, counted and recorded' }),
    valid('param', productReferred),
    valid('json', contactRequest),
    async (c) => {
      await ensureVisitor(c);
      return c.json([await requestContact(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').consent)]);
    },
  );
