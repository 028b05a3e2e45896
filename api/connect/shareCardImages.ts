import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type CardAnswer, fromMemory } from '../sharecards/cards.ts';
import { Refusal } from '../shared/errors.ts';
import { drawPostCard, postCardOf, postCardPath, postCardVersion } from './shareCard.ts';

/**
 * The share card of a post. Redirects other versions, so made-up addresses draw nothing. Refuses
 * `connect.notFound`, also for a hidden post.
 */
export async function postCard(
  ctx: Ctx,
  reference: string,
  language: Language,
  version: string | undefined,
): Promise<CardAnswer> {
  const p = schema.connectPosts;
  const [post] = await ctx.db
    .select()
    .from(p)
    .where(and(eq(p.reference, reference), isNull(p.hiddenAt)));
  if (!post) throw new Refusal('connect.notFound');
  const card = postCardOf(post, language);
  const present = postCardVersion(card);
  const path = postCardPath(reference, language, present);
  if (version !== present) return { kind: 'moved', to: path };
  return { kind: 'card', bytes: await fromMemory(path, () => drawPostCard(ctx.services, card)) };
}
