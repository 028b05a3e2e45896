import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route } from '../http/route.ts';
import { teamContact } from '../sellers/reads.ts';
import { Refusal } from '../shared/errors.ts';
import { sitemapPages } from './reads.ts';
import { writeRobots, writeSecurity, writeSitemap } from './write.ts';

export const sitemapRoutes = new Hono<AppEnv>()
  .get(
    '/sitemap.xml',
    route({
      who: everyone,
      tag: 'market',
      summary: 'The sitemap: pages and live products in both languages',
    }),
    async (c) => {
      const ctx = c.get('ctx');
      const body = writeSitemap(await sitemapPages(ctx), ctx.services.env.publicUrl);
      return c.body(body, 200, {
        'content-type': 'application/xml; charset=utf-8',
        'cache-control': 'public, max-age=300',
      });
    },
  )
  .get(
    '/robots.txt',
    route({ who: everyone, tag: 'market', summary: 'What search engines may read' }),
    (c) =>
      c.body(writeRobots(c.get('ctx').services.env.publicUrl), 200, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      }),
  )
  .get(
    '/.well-known/security.txt',
    route({ who: everyone, tag: 'market', summary: 'Whom to tell of a weakness (RFC 9116)' }),
    async (c) => {
      const ctx = c.get('ctx');
      const { email, whatsapp } = await teamContact(ctx);
      const contact = email ? `mailto:${email}` : whatsapp && `https://wa.me/${whatsapp.slice(1)}`;
      if (!contact) throw new Refusal('notFound');
      return c.body(writeSecurity(contact, ctx.services.env.publicUrl, ctx.now()), 200, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      });
    },
  );
