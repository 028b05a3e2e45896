import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../core/context.ts';
import { countOf, tryCount } from '../core/limits.ts';
import { isRight, newQuestion, sentenceOf } from './question.ts';

/**
 * Asking stores no row: the token holds an id and a time, signed for one address and purpose, and a
 * keyed hash of the id gives the question.
 */
type Asker = Pick<Ctx, 'client' | 'services' | 'now' | 'db'>;
export type SignedQuestion = { token: string; question: string };

const livesMs = 10 * 60_000;

const sign = ({ client, services }: Asker, purpose: string, id: string): string =>
  createHmac('sha256', services.secret)
    .update(`question:${purpose}:${client.addressHash}:${id}`)
    .digest('base64url');

/** Without the secret, answers cannot be precomputed. */
function questionOf({ services }: Asker, id: string) {
  const stream = createHmac('sha512', services.secret).update(`question-choices:${id}`).digest();
  let at = 0;
  return newQuestion((below) => stream.readUInt32BE(4 * (at++ % 16)) % below);
}

/** Undefined unless the token is valid for this address and purpose. */
function idIn(ctx: Asker, purpose: string, token: string): string | undefined {
  const end = token.lastIndexOf('.');
  const id = token.slice(0, Math.max(0, end));
  const [signed, given] = [Buffer.from(sign(ctx, purpose, id)), Buffer.from(token.slice(end + 1))];
  if (signed.length !== given.length || !timingSafeEqual(signed, given)) return undefined;
  const age = ctx.now().getTime() - Number.parseInt(id.split('.')[1] ?? '', 36);
  return age < livesMs ? id : undefined;
}

const used = (id: string) => `question:${id}`;

/** Puts a question; a browser with an open token gets that one again. */
export async function putQuestion(
  ctx: Asker & Pick<Ctx, 'language'>,
  purpose: string,
  held?: string,
): Promise<SignedQuestion> {
  const open = held === undefined ? undefined : idIn(ctx, purpose, held);
  const again = open !== undefined && (await countOf(ctx, used(open), livesMs / 1000)) === 0;
  const id = again
    ? open
    : `${randomBytes(16).toString('base64url')}.${ctx.now().getTime().toString(36)}`;
  return {
    token: `${id}.${sign(ctx, purpose, id)}`,
    question: sentenceOf(questionOf(ctx, id), ctx.language),
  };
}

/** The open question of a token, in the reader's language; undefined when invalid or used. */
export async function readQuestion(
  ctx: Asker & Pick<Ctx, 'language'>,
  purpose: string,
  token: string,
): Promise<SignedQuestion | undefined> {
  const put =
    idIn(ctx, purpose, token) === undefined ? undefined : await putQuestion(ctx, purpose, token);
  return put?.token === token ? put : undefined;
}

export type Judgement = 'right' | 'wrong' | 'void';

/** Uses the question up, even when wrong. `void`: forged, expired, used or of another address. */
export async function judgeAnswer(
  ctx: Asker,
  purpose: string,
  { token, answer }: { token: string; answer: string },
): Promise<Judgement> {
  const id = idIn(ctx, purpose, token);
  if (id === undefined) return 'void';
  const first = await tryCount(ctx, used(id), [{ max: 1, seconds: livesMs / 1000 }]);
  if (first.at === undefined) return 'void';
  return isRight(questionOf(ctx, id), answer) ? 'right' : 'wrong';
}
