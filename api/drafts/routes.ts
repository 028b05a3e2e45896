import { Hono } from 'hono';
import { activeSellers } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { discardDraft } from './discardDraft.ts';
import { ownDraft } from './draft.ts';
import { keepDraft } from './keepDraft.ts';
import { draftKey, keptDraft } from './schema.ts';

const declared = (summary: string) => route({ who: activeSellers, tag: 'selling', summary });

/** Routes to one's draft, shared by the form and the chats. */
export const draftRoutes = new Hono<AppEnv>()
  .get('/', declared('One’s own draft of a product, if any'), async (c) =>
    c.json(await ownDraft(c.get('ctx'))),
  )
  .put(
    '/',
    declared('Keep the draft of a device; refused where it was changed elsewhere'),
    valid('json', keptDraft),
    async (c) => c.json(await keepDraft(c.get('ctx'), c.req.valid('json'))),
  )
  .delete('/:key', declared('Give up one’s own draft'), valid('param', draftKey), async (c) =>
    c.json(await discardDraft(c.get('ctx'), c.req.valid('param').key)),
  );
