import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { normalized } from '../core/search.ts';

export type Post = typeof schema.connectPosts.$inferSelect;
const { connectPosts } = schema;

/** No letter or digit that is taken for another one when it is read out or typed. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
export const newReference = (): string =>
  Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');

/** All that a search looks at. */
export const wordsOf = ({
  title,
  description,
  tags,
  location,
  city,
  region,
}: Pick<Post, 'title' | 'description' | 'tags' | 'location' | 'city' | 'region'>) =>
  normalized([title, description, ...tags, location, city, region].join(' '));

/** Whoever acts, who must have an account: a member, a seller, suspended or not, an admin. Refuses `signInRequired`. */
export function requireMember({ actor }: Ctx): string {
  const userId = userIdOf(actor);
  if (userId === null) throw new Refusal('signInRequired');
  return userId;
}

/** A post for writing, locked until the transaction ends. Refuses `connect.notFound`. */
export async function lockPost(tx: Ctx, reference: string): Promise<Post> {
  const [post] = await tx.db
    .select()
    .from(connectPosts)
    .where(eq(connectPosts.reference, reference))
    .for('update');
  if (!post) throw new Refusal('connect.notFound');
  return post;
}

/** The same for its owner. Refuses `connect.notFound`, `connect.notOwner`, `connect.hidden`. */
export async function lockOwnPost(tx: Ctx, reference: string): Promise<Post> {
  const userId = requireMember(tx);
  const post = await lockPost(tx, reference);
  if (post.userId !== userId) throw new Refusal('connect.notOwner');
  if (post.hiddenAt) throw new Refusal('connect.hidden');
  return post;
}
