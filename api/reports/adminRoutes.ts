import { Hono } from 'hono';
import * as z from 'zod/mini';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import { productId } from '../products/schema.ts';
import { cleanText, pageNumber } from '../sellers/schema.ts';
import { openReports } from './reads.ts';
import { resolveReports } from './resolve.ts';
import { limits, reportReasons } from './schema.ts';

const search = z.strictObject({ page: pageNumber, reason: z.optional(z.enum(reportReasons)) });
/** What was done, in words, and the newest report that the admin has seen. */
const resolution = z.strictObject({ resolution: cleanText(limits.note.max, 1), seen: z.optional(z.iso.datetime()) });

/** The doors of /admin/reports (decision 27). */
export const adminReportRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Products with open reports, by reason, the most reported first' }),
    valid('query', search),
    async (c) => c.json(await openReports(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/:id/resolve',
    route({ who: admins, tag: 'admin', summary: 'Close the open reports of a product with what was done' }),
    valid('param', productId),
    valid('json', resolution),
    async (c) => {
      const { resolution: done, seen } = c.req.valid('json');
      return c.json(await resolveReports(c.get('ctx'), c.req.valid('param').id, done, seen));
    },
  );
