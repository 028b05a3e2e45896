import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import { publishPost } from '../../api/connect/publish.ts';
import { newPost } from '../../api/connect/schema.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import { grant } from './credits.ts';

/** An unassigned number. */
export const postNumber = '+237699445577';

/** Publishes a post of a member who has the credits; returns its reference. */
export async function published(
  market: Pick<TestApp, 'ctx'>,
  owner: Person,
  changes: Partial<z.input<typeof newPost>> = {},
): Promise<string> {
  const post = newPost.parse({
    title: 'A plumber for Saturday',
    description: 'My tap leaks.',
    category: 'repairs',
    contactWhatsapp: postNumber,
    ...changes,
  });
  return (await publishPost(await market.ctx(owner), post, randomUUID())).reference;
}

export async function paidPost(
  market: TestApp,
  owner: Person,
  changes: Parameters<typeof published>[2] = {},
): Promise<string> {
  await grant(market, owner, 2);
  return published(market, owner, changes);
}
