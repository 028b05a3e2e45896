import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type CardAnswer, fromMemory } from '../sharecards/cards.ts';
import { Refusal } from '../shared/errors.ts';
import { drawNotice, noticeOf, noticePath, noticeVersion } from './shareCard.ts';

/**
 * The share card of a post. Redirects other versions, so made-up addresses draw nothing. Refuses
 * `connect.notFound`, also for a hidden post.
 */
export async function noticeCard(
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
  const notice = noticeOf(post, language);
  const present = noticeVersion(notice);
  const path = noticePath(reference, language, present);
  if (version !== present) return { kind: 'moved', to: path };
  return { kind: 'card', bytes: await fromMemory(path, () => drawNotice(ctx.services, notice)) };
}
