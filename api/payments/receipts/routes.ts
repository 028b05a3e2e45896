import { Hono } from 'hono';
import * as z from 'zod/mini';
import { languages } from '../../../locales/languages.ts';
import { signedIn } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { receiptPdf } from './pdf.ts';
import { readReceipt } from './read.ts';

const named = z.object({ name: z.string().check(z.maxLength(20)) });
const inLanguage = z.object({ language: z.optional(z.enum(languages)) });

export const receiptRoutes = new Hono<AppEnv>().get(
  '/:name',
  route({
    who: signedIn,
    tag: 'selling',
    summary: 'A receipt or a credit note as PDF, of one’s own payment or for an admin',
  }),
  valid('param', named),
  valid('query', inLanguage),
  async (c) => {
    const ctx = c.get('ctx');
    const { name } = c.req.valid('param');
    const receipt = await readReceipt(ctx, name);
    return c.body((await receiptPdf(receipt, ctx.language)) as Uint8Array<ArrayBuffer>, 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="marche54-${name}.pdf"`,
    });
  },
);
