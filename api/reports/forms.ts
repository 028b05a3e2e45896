import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { Refusal } from '../shared/errors.ts';
import { isSlot } from '../shared/slots.ts';
import { reportListing } from './report.ts';
import { reportInput } from './schema.ts';

/** Accepts any text: wrong input must lead back to the page too. */
const form = z.object({
  reason: z.optional(z.string()),
  note: z.optional(z.string()),
  slot: z.optional(z.string()),
});

/** Report form for a page without scripts; the outcome goes back as a code, never a sentence. */
export const reportForms = new Hono<AppEnv>().post(
  '/report/:id',
  route({
    who: everyone,
    tag: 'market',
    summary: 'Report a listing as a form, and go back to its page',
  }),
  valid('param', productId),
  valid('form', form),
  async (c) => {
    await ensureVisitor(c);
    const { slot, reason, note } = c.req.valid('form');
    const { language } = c.get('ctx');
    const page =
      slot && /^\d{1,2}$/.test(slot) && isSlot(Number(slot))
        ? `/${language}/shop/slot/${Number(slot)}`
        : `/${language}`;
    const back = (outcome: string) => c.redirect(`${page}?report=${outcome}`, 303);
    const input = reportInput.safeParse({ reason, note });
    if (!input.success) return back('validation');
    try {
      await reportListing(c.get('ctx'), c.req.valid('param').id, input.data);
      return back('sent');
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return back(error.code.replace('reports.', ''));
    }
  },
);
