import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { deviceCodes, rememberCodes } from './device.ts';
import { keep } from './keep.ts';
import { letGo } from './letGo.ts';
import { favouriteCards, favouriteCodes } from './reads.ts';
import { favourite, favouriteForm, removable } from './schema.ts';

/** Favourites of the account, or of the browser without one. */
export const favouriteRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: everyone, tag: 'market', summary: 'Codes of the listings that are kept' }),
    async (c) => c.json({ codes: await favouriteCodes(c.get('ctx'), deviceCodes(c)) }),
  )
  .get(
    '/cards',
    route({ who: everyone, tag: 'market', summary: 'The kept listings, and what became of them' }),
    async (c) => c.json(await favouriteCards(c.get('ctx'), deviceCodes(c))),
  )
  .put(
    '/:code',
    route({ who: everyone, tag: 'market', summary: 'Keep a listing among the favourites' }),
    valid('param', favourite),
    async (c) => {
      const codes = await keep(c.get('ctx'), c.req.valid('param').code, deviceCodes(c));
      rememberCodes(c, codes);
      return c.json({ codes });
    },
  )
  .delete(
    '/:code',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Keep a listing no longer, or all that is gone',
    }),
    valid('param', removable),
    async (c) => {
      const codes = await letGo(c.get('ctx'), c.req.valid('param').code, deviceCodes(c));
      rememberCodes(c, codes);
      return c.json({ codes });
    },
  );

/** The same for pages without scripts, which then show the favourites. */
export const favouriteForms = new Hono<AppEnv>().post(
  '/favourites/:code',
  route({
    who: everyone,
    tag: 'market',
    summary: 'Keep a listing or let it go as a form, and show the favourites',
  }),
  valid('param', removable),
  valid('form', favouriteForm),
  async (c) => {
    const ctx = c.get('ctx');
    const { code } = c.req.valid('param');
    const verb = c.req.valid('form').keep === 'yes' && code !== 'gone' ? keep : letGo;
    try {
      rememberCodes(c, await verb(ctx, code, deviceCodes(c)));
    } catch (error) {
      // The page says itself what cannot be found.
      if (!(error instanceof Refusal && error.code === 'products.notFound')) throw error;
      return c.redirect(`/${ctx.language}/favourites?gone`, 303);
    }
    return c.redirect(`/${ctx.language}/favourites`, 303);
  },
);
