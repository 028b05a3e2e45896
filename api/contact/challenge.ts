import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { isRight, newQuestion, sentenceOf } from '../challenge/question.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { nameIn } from '../core/format.ts';
import { questionLivesMs } from './rules.ts';
import type { Reply } from './schema.ts';

/** A question as it is put: its token, its words, and the seconds that must pass before an answer counts. */
export type Question = { token: string; question: string; seconds: number };

/** Puts a new question to this address about a product, and keeps it. */
export async function ask(tx: Ctx, productId: string, seconds: number): Promise<Question> {
  const id = randomUUID();
  const question = newQuestion();
  const askedAt = tx.now();
  const { addressHash } = tx.client;
  const readyAt = new Date(askedAt.getTime() + seconds * 1000);
  await tx.db.insert(schema.contactChallenges).values({ id, addressHash, productId, question, askedAt, readyAt });
  return { token: sign(tx, id), question: sentenceOf(question, tx.language), seconds };
}

/**
 * Judges an answer and uses the question up, rightly answered or not. `early` leaves it as it is, to be answered again. `void` is a
 * question that is forged, over, used, of another address or about another product. Must run under the lock of the address.
 */
export async function judge(tx: Ctx, productId: string, { token, answer }: Reply): Promise<'right' | 'wrong' | 'void' | { early: Question }> {
  const { contactChallenges: q } = schema;
  const row = await find(tx, token);
  if (row?.productId !== productId) return 'void';
  const now = tx.now();
  if (row.readyAt > now) return { early: present(tx, row) };
  const outcome = isRight(row.question, answer) ? 'right' : 'wrong';
  const used = await tx.db
    .update(q)
    .set({ answeredAt: now, outcome })
    .where(and(eq(q.id, row.id), isNull(q.answeredAt)))
    .returning({ id: q.id });
  return used.length > 0 ? outcome : 'void';
}

/** A question that still waits for its answer, for the page that works without a script. Refuses `notFound` for any other, and for any other address. */
export async function openQuestion(ctx: Ctx, token: string): Promise<Question & { productId: string; name: string }> {
  const row = await find(ctx, token);
  if (!row) throw new Refusal('notFound');
  const [product] = await ctx.db.select({ name: schema.products.name }).from(schema.products).where(eq(schema.products.id, row.productId));
  return { ...present(ctx, row), productId: row.productId, name: nameIn(product?.name ?? null, ctx.language) };
}

async function find(ctx: Ctx, token: string) {
  const id = token.split('.')[0] ?? '';
  const signed = Buffer.from(sign(ctx, id));
  const given = Buffer.from(token);
  if (signed.length !== given.length || !timingSafeEqual(signed, given)) return undefined;
  const { contactChallenges: q } = schema;
  const [row] = await ctx.db
    .select()
    .from(q)
    .where(and(eq(q.id, id), eq(q.addressHash, ctx.client.addressHash), isNull(q.answeredAt)));
  return row && ctx.now().getTime() - row.askedAt.getTime() < questionLivesMs ? row : undefined;
}

function present(ctx: Ctx, { id, question, readyAt }: typeof schema.contactChallenges.$inferSelect): Question {
  const seconds = Math.max(0, Math.ceil((readyAt.getTime() - ctx.now().getTime()) / 1000));
  return { token: sign(ctx, id), question: sentenceOf(question, ctx.language), seconds };
}

/** The id with a signature that only this market makes, and only for this address: junk costs no query. */
function sign({ client, services }: Ctx, id: string): string {
  return `${id}.${createHmac('sha256', services.secret).update(`contact-question:${id}:${client.addressHash}`).digest('base64url')}`;
}
