import { isDeepStrictEqual } from 'node:util';
import { schema } from '../../db/client.ts';
import { inEveryLanguage, languages } from '../../locales/languages.ts';
import { requireAdminAccount } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { isBlank } from '../shared/clean.ts';
import { Refusal } from '../shared/errors.ts';
import type { Publication } from './schema.ts';
import { newestTexts } from './version.ts';

type Text = Publication['terms'];
const tidy = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
const kept = (text: Text): Text | null =>
  isBlank(text[languages[0]]) ? null : inEveryLanguage((language) => tidy(text[language]));

/**
 * Publishes the operator's own texts as a new version, which everybody with an account is then asked
 * about; an empty one gives its page back to the market's own. The same texts make no new version.
 * Refuses `legal.published` if another admin was faster.
 */
export async function publishTexts(
  ctx: Ctx,
  { after, terms, privacy }: Publication,
): Promise<{ number: number }> {
  const { userId } = requireAdminAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockNamed(tx, 'legal-texts');
    const newest = await newestTexts(tx);
    const number = newest?.number ?? 0;
    if (after !== number) throw new Refusal('legal.published');
    const texts = { terms: kept(terms), privacy: kept(privacy) };
    const before = { terms: newest?.terms ?? null, privacy: newest?.privacy ?? null };
    if (isDeepStrictEqual(texts, before)) return { number };
    await tx.db
      .insert(schema.legalTexts)
      .values({ number: number + 1, ...texts, publishedAt: tx.now(), publishedBy: userId });
    await audit(tx, {
      action: 'legal.publish',
      subjectKind: 'settings',
      subjectId: 'legal',
      after: { version: number + 1 },
    });
    return { number: number + 1 };
  });
}
