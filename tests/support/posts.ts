import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import { publishPost } from '../../api/connect/publish.ts';
import { newPost } from '../../api/connect/schema.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import { grant } from './credits.ts';

/** Gives somebody the credits for a post, and publishes it. Answers its reference. */
export async function published(market: TestApp, owner: Pick<Person, 'jar' | 'userId'>, changes: Partial<z.input<typeof newPost>> = {}): Promise<string> {
  const given = { title: 'A plumber for Saturday', description: 'My tap leaks.', category: 'repairs' as const, contactWhatsapp: '699001000' };
  await grant(market, owner, 2);
  return (await publishPost(await market.ctx(owner), newPost.parse({ ...given, ...changes }), randomUUID())).reference;
}
