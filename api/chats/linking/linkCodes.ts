import { createHmac, randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { hasSecondFactor } from '../../auth/secondFactor/secondFactor.ts';
import { isTeam } from '../../core/access.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { type AccountSigns, mailbox } from '../../people/mailbox.ts';
import { Refusal } from '../../shared/errors.ts';
import { codeOf, limits, typedCode } from '../rules.ts';

const { chatLinkCodes: codes, sellers, user } = schema;

/** Keyed, because 40 bits could be brute-forced from a copy of the table. */
export const hashOf = ({ services }: Ctx, code: string) =>
  createHmac('sha256', services.secret).update(`chat-code:${code}`).digest('hex');

export type NewCode = { code: string; expiresAt: string };

/** Makes a one-time code for an account; its earlier codes end. */
export async function makeCode(tx: Tx, userId: string): Promise<NewCode> {
  await tx.db.delete(codes).where(and(eq(codes.userId, userId), isNull(codes.usedAt)));
  const code = codeOf(randomBytes(16));
  const createdAt = tx.now();
  const expiresAt = new Date(createdAt.getTime() + limits.codeLivesMs);
  await tx.db
    .insert(codes)
    .values({ codeHash: hashOf(tx, typedCode(code) ?? ''), userId, createdAt, expiresAt });
  return { code, expiresAt: expiresAt.toISOString() };
}

/** Locks the code's row. Refuses `chats.codeInvalid`, `chats.factorNeeded`. */
export async function codeOwner(
  tx: Tx,
  codeHash: string,
): Promise<{ userId: string; account: AccountSigns }> {
  const [row] = await tx.db
    .select({
      userId: user.id,
      email: mailbox,
      role: user.role,
      number: sellers.verifiedWhatsapp,
      usedAt: codes.usedAt,
      expiresAt: codes.expiresAt,
    })
    .from(codes)
    .innerJoin(user, eq(user.id, codes.userId))
    .leftJoin(sellers, eq(sellers.userId, user.id))
    .where(eq(codes.codeHash, codeHash))
    .for('update', { of: codes });
  if (!row || row.usedAt || row.expiresAt <= tx.now()) throw new Refusal('chats.codeInvalid');
  // The account may have become an admin's, or lost its factor, since.
  if (isTeam(row.role) && !(await hasSecondFactor(tx, row.userId)))
    throw new Refusal('chats.factorNeeded');
  return { userId: row.userId, account: { email: row.email, provenNumber: row.number } };
}

export const markUsed = ({ db, now }: Ctx, codeHash: string) =>
  db.update(codes).set({ usedAt: now() }).where(eq(codes.codeHash, codeHash));
