import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { reportPost } from './report.ts';
import { newReport, postReference } from './schema.ts';

/** Accepts any text: wrong input leads back to the page instead of to an error. */
const form = z.object({ reason: z.optional(z.string()), note: z.optional(z.string()) });

/** Report form without scripts; the outcome returns in the URL as a code. */
export const connectForms = new Hono<AppEnv>().post(
  '/connect/:reference/report',
  route({
    who: everyone,
    tag: 'connect',
    summary: 'Report a post as a form, and go back to its page',
  }),
  valid('param', postReference),
  valid('form', form),
  async (c) => {
    await ensureVisitor(c);
    const { reference } = c.req.valid('param');
    const back = (outcome: string) =>
      c.redirect(`/${c.get('ctx').language}/connect/${reference}?report=${outcome}#report`, 303);
    const input = newReport.safeParse(c.req.valid('form'));
    if (!input.success) return back('validation');
    try {
      await reportPost(c.get('ctx'), reference, input.data);
      return back('sent');
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return back(error.code.replace('connect.', ''));
    }
  },
);
