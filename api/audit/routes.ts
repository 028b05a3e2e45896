import { Hono } from 'hono';
import * as z from 'zod/mini';
import { subjectKinds } from '../../db/vocabularies.ts';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { day as anyDay, optional } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { auditEntries } from './reads.ts';

const text = optional(z.string().check(z.maxLength(200)));
const day = optional(anyDay);
const filter = pageQuery({
  actor: text,
  action: text,
  subjectKind: z.optional(z.enum(subjectKinds)),
  subjectId: text,
  from: day,
  to: day,
});

/** Route of the audit log (product R32). */
export const adminAuditRoutes = new Hono<AppEnv>().get(
  '/',
  route({
    who: admins,
    tag: 'admin',
    summary: 'The audit log, newest first, by actor, action, subject and days',
  }),
  valid('query', filter),
  async (c) => c.json(await auditEntries(c.get('ctx'), c.req.valid('query'))),
);
