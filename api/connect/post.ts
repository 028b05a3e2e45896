import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
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

/** The user id of anyone signed in, suspended sellers included. Refuses `signInRequired`. */
export function requireMember({ actor }: Ctx): string {
  const userId = userIdOf(actor);
  if (userId === null) throw new Refusal('signInRequired');
  return userId;
}

/** Reads and locks a post. Refuses `connect.notFound`. */
export async function lockPost(tx: Ctx, reference: string): Promise<Post> {
  const [post] = await tx.db
    .select()
    .from(connectPosts)
    .where(eq(connectPosts.reference, reference))
    .for('update');
  if (!post) throw new Refusal('connect.notFound');
  return post;
}

/**
 * Reads and locks one's own post. Refuses `connect.notFound`, `connect.notOwner`, `connect.hidden`.
 */
export async function lockOwnPost(tx: Ctx, reference: string): Promise<Post> {
  const userId = requireMember(tx);
  const post = await lockPost(tx, reference);
  if (post.userId !== userId) throw new Refusal('connect.notOwner');
  if (post.hiddenAt) throw new Refusal('connect.hidden');
  return post;
}
