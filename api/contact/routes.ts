import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { ensureVisitor, rememberContact } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productReferred } from '../products/schema.ts';
import { readSettings } from '../settings/values.ts';
import { openQuestion } from './challenge.ts';
import { checkContactLimit, requestContact } from './request.ts';
import { contactLimitNames } from './rules.ts';
import { contactRequest, questionAsked, replyIn } from './schema.ts';

/** Contact routes (product §7 Contact). */
export const contactRoutes = new Hono<AppEnv>()
  .get(
    '/contact/limit',
    route({
      who: everyone,
      tag: 'contact',
      summary: 'Whether one more contact request would pass the limit',
    }),
    async (c) => {
      return c.json({ allowed: await checkContactLimit(c.get('ctx')) });
    },
  )
  .get(
    '/contact/question',
    route({
      who: everyone,
      tag: 'contact',
      summary: 'A question that was put to this address ahead of a seller’s number',
    }),
    valid('query', questionAsked),
    async (c) => {
      const ctx = c.get('ctx');
      return c.json(
        await openQuestion(
          ctx,
          c.req.valid('query').token,
          await readSettings(ctx, contactLimitNames),
        ),
      );
    },
  )
  .post(
    '/products/:id/contact',
    route({
      who: everyone,
      tag: 'contact',
      summary:
        'With consent: the seller’s number and the WhatsApp link, counted and recorded; a newcomer may be asked a question first',
    }),
    valid('param', productReferred),
    valid('json', contactRequest),
    async (c) => {
      await ensureVisitor(c);
      const { consent, ...reply } = c.req.valid('json');
      const contact = await requestContact(
        c.get('ctx'),
        c.req.valid('param').id,
        consent,
        replyIn(reply),
      );
      await rememberContact(c);
      return c.json([contact]);
    },
  );
