import { Hono } from 'hono';
import { isLanguage } from '../../locales/languages.ts';
import { everyone } from '../core/access.ts';
import { Refusal } from '../core/errors.ts';
import { type AppEnv, route } from '../core/http.ts';
import { shareCard } from './cards.ts';

const name = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([a-z]{2})(?:-([0-9a-f]{12}))?\.jpg$/;

/** The door of share cards: what a messenger fetches when somebody pastes a link. */
export const shareCardRoutes = new Hono<AppEnv>().get(
  '/media/cards/:file',
  route({ who: everyone, tag: 'market', summary: 'The share card of a product, 1200 × 630; an old version leads to the present one' }),
  async (c) => {
    const [, id, language, version] = name.exec(c.req.param('file')) ?? [];
    if (!id || !isLanguage(language)) throw new Refusal('notFound');
    const answer = await shareCard(c.get('ctx'), id, language, version);
    if (answer.kind === 'moved') {
      c.header('cache-control', 'public, max-age=60');
      return c.redirect(answer.to, 302);
    }
    // A card never changes under its version.
    return c.body(answer.bytes, 200, {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
    });
  },
);
