import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { Refusal } from '../shared/errors.ts';
import { isSlot } from '../shared/slots.ts';
import { bySlug } from '../shops/schema.ts';
import { reportListing } from './report.ts';
import { reportShop } from './reportShop.ts';
import { type ReportInput, reportInput } from './schema.ts';

/** Accepts any text: wrong input must lead back to the page too. */
const form = z.object({
  reason: z.optional(z.string()),
  note: z.optional(z.string()),
  slot: z.optional(z.string()),
});

/** Report forms for pages without scripts; the outcome goes back as a code, never a sentence. */
export const reportForms = new Hono<AppEnv>()
  .post(
    '/report/:id',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Report a listing as a form, and go back to its page',
    }),
    valid('param', productId),
    valid('form', form),
    async (c) => {
      const { slot } = c.req.valid('form');
      const page =
        slot && /^\d{1,2}$/.test(slot) && isSlot(Number(slot)) ? `/shop/slot/${Number(slot)}` : '';
      return sent(c, c.req.valid('form'), page, (ctx, input) =>
        reportListing(ctx, c.req.valid('param').id, input),
      );
    },
  )
  .post(
    '/report/shop/:slug',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Report a shop as a form, and go back to its page',
    }),
    valid('param', bySlug),
    valid('form', form),
    (c) => {
      const { slug } = c.req.valid('param');
      return sent(c, c.req.valid('form'), `/shops/${encodeURIComponent(slug)}`, (ctx, input) =>
        reportShop(ctx, slug, input),
      );
    },
  );

async function sent(
  c: Context<AppEnv>,
  { reason, note }: z.output<typeof form>,
  page: string,
  report: (ctx: Ctx, input: ReportInput) => Promise<unknown>,
) {
  await ensureVisitor(c);
  const ctx = c.get('ctx');
  const back = (outcome: string) => c.redirect(`/${ctx.language}${page}?report=${outcome}`, 303);
  const input = reportInput.safeParse({ reason, note });
  if (!input.success) return back('validation');
  try {
    await report(ctx, input.data);
    return back('sent');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return back(error.code.replace('reports.', ''));
  }
}
