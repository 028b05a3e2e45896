import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type CardAnswer, inTurn } from '../sharecards/cards.ts';
import { Refusal } from '../shared/errors.ts';
import { drawPostCard, postCardOf, postCardPath, postCardVersion } from './shareCard.ts';

/** Kept in memory only (50 kB each): a link is fetched a few times soon after it was sent. */
const most = 60;
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

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
  const drawn = kept.get(path) ?? inTurn(() => drawPostCard(ctx.services, card));
  kept.delete(path);
  // Least recently used goes first; failed drawings are dropped.
  kept.set(path, drawn);
  drawn.catch(() => kept.delete(path));
  for (const [oldest] of kept) if (kept.size > most) kept.delete(oldest);
  return { kind: 'card', bytes: await drawn };
}
