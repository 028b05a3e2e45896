import { Hono } from 'hono';
import { admins, everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { agreementOf } from './agreement.ts';
import { closeRequest } from './closeRequest.ts';
import { legalHtml } from './markdown.ts';
import { operatorOf } from './operator.ts';
import { publishTexts } from './publish.ts';
import { dataRequests, legalPage, publishedTexts } from './reads.ts';
import { recordRequest } from './recordRequest.ts';
import {
  closing,
  newRequest,
  previewed,
  publication,
  requestReferred,
  shownText,
} from './schema.ts';

/** Routes of the market's legal pages. */
export const legalRoutes = new Hono<AppEnv>()
  .get(
    '/operator',
    route({ who: everyone, tag: 'market', summary: 'Who runs the market, as its pages say' }),
    async (c) => c.json(await operatorOf(c.get('ctx'))),
  )
  .get(
    '/agreement',
    route({
      who: everyone,
      tag: 'accounts',
      summary: 'The version of the terms that holds, and whether the person is asked to agree',
    }),
    async (c) => c.json(await agreementOf(c.get('ctx'))),
  )
  .get(
    '/:text',
    route({ who: everyone, tag: 'market', summary: 'The operator’s own terms or text on privacy' }),
    valid('param', shownText),
    async (c) => {
      const ctx = c.get('ctx');
      return c.json(await legalPage(ctx, c.req.valid('param').text, ctx.language));
    },
  );

/** Routes of the operator's own texts. */
export const adminLegalRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: admins, tag: 'admin', summary: 'The operator’s own terms and text on privacy' }),
    async (c) => c.json(await publishedTexts(c.get('ctx'))),
  )
  .post(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Publish a new version of them' }),
    valid('json', publication),
    async (c) => c.json(await publishTexts(c.get('ctx'), c.req.valid('json'))),
  )
  .post(
    '/preview',
    route({ who: admins, tag: 'admin', summary: 'Show a text as its page will' }),
    valid('json', previewed),
    (c) => c.json({ html: legalHtml(c.req.valid('json').text) }),
  )
  .get(
    '/requests',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Requests about personal data, with their clocks',
    }),
    async (c) => c.json(await dataRequests(c.get('ctx'))),
  )
  .post(
    '/requests',
    route({ who: admins, tag: 'admin', summary: 'Keep a request about personal data' }),
    valid('json', newRequest),
    async (c) => c.json(await recordRequest(c.get('ctx'), c.req.valid('json'))),
  )
  .post(
    '/requests/:id/close',
    route({ who: admins, tag: 'admin', summary: 'Close a request about personal data' }),
    valid('param', requestReferred),
    valid('json', closing),
    async (c) =>
      c.json(
        await closeRequest(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').outcome),
      ),
  );
