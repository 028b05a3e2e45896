import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Tx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { normalized } from '../shared/search.ts';

export type Post = typeof schema.connectPosts.$inferSelect;
const { connectPosts } = schema;

/** No characters that look or sound alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
export const newReference = (): string =>
  Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');

export const wordsOf = ({
  title,
  description,
  tags,
  location,
  city,
  region,
}: Pick<Post, 'title' | 'description' | 'tags' | 'location' | 'city' | 'region'>) =>
  normalized([title, description, ...tags, location, city, region].join(' '));

/** Reads and locks a post. Refuses `connect.notFound`. */
export async function lockPost(tx: Tx, reference: string): Promise<Post> {
  const [post] = await tx.db
    .select()
    .from(connectPosts)
    .where(eq(connectPosts.reference, reference))
    .for('update');
  if (!post) throw new Refusal('connect.notFound');
  return post;
}

/** Refuses `forbidden` to a moderator who decides about an own post (product R60). */
export function refuseOwn({ actor }: Tx, { userId }: Pick<Post, 'userId'>): void {
  if (actor.kind === 'moderator' && actor.userId === userId) throw new Refusal('forbidden');
}

/**
 * Reads and locks one's own post. Refuses `connect.notFound`, `connect.notOwner`, `connect.hidden`.
 */
export async function lockOwnPost(tx: Tx, reference: string): Promise<Post> {
  const { userId } = requireAccount(tx);
  const post = await lockPost(tx, reference);
  if (post.userId !== userId) throw new Refusal('connect.notOwner');
  if (post.hiddenAt) throw new Refusal('connect.hidden');
  return post;
}
