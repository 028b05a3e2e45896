import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { ContactQuestion } from '../../db/schema/contact.ts';
import { isRight, newQuestion, sentenceOf } from '../challenge/question.ts';
import type { Judgement } from '../challenge/signed.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { sealAlike, unseal } from '../outbox/sealing.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { countNewcomers, hasLookedAround } from './counts.ts';
import { type ContactLimits, questionLivesMs, questionsKept, turnSeconds } from './rules.ts';
import type { Reply } from './schema.ts';

const { contactChallenges: q } = schema;
const purpose = 'marche54 contact question';

/** An answer counts after `seconds`. */
export type Question = { token: string; question: string; seconds: number };

/** Times in milliseconds. */
type Sealed = {
  id: string;
  productId: string;
  question: ContactQuestion;
  askedAt: number;
  readyAt: number;
};
/** `looked`: it looked around before; `turn`: seconds until its turn. */
export type Asker = { visitor: string; looked: boolean; turn: number };

/**
 * Returns the visitor's open question, or a new one with this wait. The caller holds the address
 * lock.
 */
export async function ask(
  tx: Tx,
  productId: string,
  asker: Asker,
  wait: number,
): Promise<Question> {
  const now = tx.now();
  const { addressHash } = tx.client;
  const [open] = await tx.db
    .select()
    .from(q)
    .where(
      and(
        eq(q.visitor, asker.visitor),
        eq(q.addressHash, addressHash),
        isNull(q.answeredAt),
        gt(q.askedAt, new Date(now.getTime() - questionLivesMs)),
      ),
    )
    .orderBy(desc(q.askedAt))
    .limit(1);
  if (open) {
    const { id, question, askedAt, readyAt } = open;
    return present(
      tx,
      { id, productId, question, askedAt: askedAt.getTime(), readyAt: readyAt.getTime() },
      asker.turn,
    );
  }
  const asked = {
    id: randomUUID(),
    productId,
    question: newQuestion(),
    askedAt: now.getTime(),
    readyAt: now.getTime() + wait * 1000,
  };
  await tx.db.insert(q).values(rowOf(tx, asked, asker));
  await makeRoom(tx, asker.looked, null);
  return present(tx, asked, asker.turn);
}

/**
 * Judges an answer and uses up the question, unless `early`. `void`: forged, expired, used, or of
 * another address or product. The caller holds the address lock.
 */
export async function judge(
  tx: Tx,
  productId: string,
  { token, answer }: Reply,
  asker: Asker,
): Promise<Judgement | { early: Question }> {
  const asked = await openedBy(tx, token);
  if (asked?.productId !== productId) return 'void';
  const now = tx.now();
  if (asked.readyAt > now.getTime() || asker.turn > 0)
    return { early: present(tx, asked, asker.turn) };
  const outcome = isRight(asked.question, answer) ? 'right' : 'wrong';
  const { visitor, looked } = asker;
  // Its row may have been deleted to make room: insert it again.
  const used = await tx.db
    .insert(q)
    .values({ ...rowOf(tx, asked, asker), answeredAt: now, outcome })
    .onConflictDoUpdate({
      target: q.id,
      set: { answeredAt: now, outcome, visitor, looked },
      setWhere: isNull(q.answeredAt),
    })
    .returning({ id: q.id });
  if (used.length === 0) return 'void';
  if (outcome === 'wrong') await makeRoom(tx, looked, 'wrong');
  return outcome;
}

/** For the page without scripts. Refuses `notFound`, also from another address. */
export async function openQuestion(
  ctx: Ctx,
  token: string,
  limits: ContactLimits,
): Promise<Question & { productId: string; name: string }> {
  const asked = await openedBy(ctx, token);
  if (!asked) throw new Refusal('notFound');
  const { productId } = asked;
  const [product] = await ctx.db
    .select({ name: schema.products.name })
    .from(schema.products)
    .where(eq(schema.products.id, productId));
  const looked = ctx.client.visitor !== null && (await hasLookedAround(ctx, ctx.client.visitor));
  const turn = turnSeconds(await countNewcomers(ctx, productId), limits, looked);
  return {
    ...present(ctx, asked, turn),
    productId,
    name: nameIn(product?.name ?? null, ctx.language),
  };
}

/** A forged token costs no query. */
async function openedBy(ctx: Ctx, token: string): Promise<Sealed | undefined> {
  const asked = unsealed(ctx, token);
  if (!asked || ctx.now().getTime() - asked.askedAt >= questionLivesMs) return undefined;
  const [used] = await ctx.db
    .select({ id: q.id })
    .from(q)
    .where(and(eq(q.id, asked.id), isNotNull(q.answeredAt)));
  return used ? undefined : asked;
}

function unsealed({ client, services }: Ctx, token: string): Sealed | undefined {
  try {
    return JSON.parse(unseal(services.secret, purpose, client.addressHash, token)) as Sealed;
  } catch {
    return undefined;
  }
}

function present(
  { client, services, language, now }: Ctx,
  { id, productId, question, askedAt, readyAt }: Sealed,
  turn: number,
): Question {
  const seconds = Math.max(turn, Math.ceil((readyAt - now().getTime()) / 1000), 0);
  // Sorted, since Postgres reorders keys: the same question must give the same token.
  const ordered = Object.fromEntries(Object.entries(question).sort());
  const text = JSON.stringify({ id, productId, question: ordered, askedAt, readyAt });
  return {
    token: sealAlike(services.secret, purpose, client.addressHash, text),
    question: sentenceOf(question, language),
    seconds,
  };
}

const rowOf = (
  { client: { addressHash } }: Ctx,
  { askedAt, readyAt, ...asked }: Sealed,
  { visitor, looked }: Asker,
) => ({
  ...asked,
  addressHash,
  visitor,
  looked,
  askedAt: new Date(askedAt),
  readyAt: new Date(readyAt),
});

async function makeRoom(tx: Tx, looked: boolean, outcome: 'wrong' | null): Promise<void> {
  const oldest = tx.db
    .select({ id: q.id })
    .from(q)
    .where(
      and(
        eq(q.addressHash, tx.client.addressHash),
        eq(q.looked, looked),
        outcome === null ? isNull(q.outcome) : eq(q.outcome, outcome),
      ),
    )
    .orderBy(desc(q.askedAt))
    .offset(questionsKept);
  await tx.db.delete(q).where(inArray(q.id, oldest));
}
