import { eq, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { moveFromChat } from '../alerts/moveFromChat.ts';
import { createAccountInChat } from '../auth/create.ts';
import { type Ctx, inChat, type Tx, userIdOf } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { keepAgreement } from '../legal/agreement.ts';
import { currentVersion } from '../legal/version.ts';
import { type Chat, chatContext, opened } from '../people/chats.ts';
import { createProfile, refuseBarred } from '../sellers/profile.ts';
import { profile } from '../sellers/schema.ts';
import { requireTakeable } from '../sellers/takings.ts';
import { verifySeller } from '../sellers/verify.ts';
import { Refusal } from '../shared/errors.ts';
import { judged } from '../shared/validated.ts';
import { limits } from './rules.ts';

const { chats, sellers } = schema;

/**
 * `anew`: the account that names this number is someone else's. `takeBack`: move the proven number
 * away from its account. `agreedTo`: version of the terms that the chat showed.
 */
export type Joining = {
  name: string;
  location: string;
  agreedTo?: string | undefined;
  anew?: boolean;
  takeBack?: boolean;
};

/**
 * Makes the sender a seller by the number the transport delivered (product R21), with an account if
 * needed and under the web's rules. A number read from an old id is not proven and takes none back.
 * Returns the new context. Refuses `chats.numberMissing`; `chats.numberKnown` (a suspended
 * seller's); `chats.numberProven` (another account's, without `takeBack`); `sellers.numberByTeam`
 * (only an admin may move it); `chats.numberClaimed` (named by another account, without `anew`);
 * `sellers.barred`, `sellers.profileExists`, `tooManyRequests`, `validation`.
 */
export async function joinFromChat(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  { anew = false, takeBack = false, agreedTo, ...typed }: Joining,
): Promise<{ ctx: Ctx }> {
  const number = requireNewSeller(ctx);
  const isProven = ctx.client.number !== undefined;
  // Outside the transaction, so refused attempts count too.
  await countAttempt(ctx, `chat-join:${keyHash}`, limits.joiningsAnHour, 3600, 'tooManyRequests');
  const given = judged(profile, { ...typed, whatsapp: number });
  return inTransaction(ctx, async (tx) => {
    // Serializes chats with one number, and the team's verification.
    await lockNamed(tx, `verified-number:${number}`);
    await refuseKnown(tx, number, { anew, takeBack: takeBack && isProven });
    await refuseBarred(tx, number);
    const own = userIdOf(tx.actor);
    // Another version may hold by now: they are asked about it later.
    const agreed = agreedTo === (await currentVersion(tx)).id ? agreedTo : undefined;
    const userId = own ?? (await createAccountInChat(tx, { ...given, agreedTo: agreed })).id;
    if (own !== null && agreed) await keepAgreement(tx, own, agreed);
    const email = 'email' in tx.actor ? tx.actor.email : null;
    const { id } = await createProfile(tx, { userId, email }, given);
    if (own === null) {
      const [linked] = await tx.db
        .update(chats)
        .set({ ...opened, userId, linkedAt: tx.now(), language: null, notices: true })
        .where(eq(chats.keyHash, keyHash))
        .returning({ id: chats.id });
      if (linked) await moveFromChat(tx, linked.id, userId);
    }
    const acting = async () => {
      const [chat] = await tx.db.select().from(chats).where(eq(chats.keyHash, keyHash));
      return chatContext(tx, chat as Chat, tx.client);
    };
    if (isProven) await verifySeller(await acting(), id, { number, verifiedBy: 'chat', takeBack });
    return { ctx: { ...(await acting()), db: ctx.db } };
  });
}

/** A merely typed number does not block the person whose transport delivers it. */
async function refuseKnown(
  tx: Tx,
  number: string,
  { anew, takeBack }: { anew: boolean; takeBack: boolean },
): Promise<void> {
  const rows = await tx.db
    .select()
    .from(sellers)
    .where(or(eq(sellers.whatsapp, number), eq(sellers.verifiedWhatsapp, number)));
  const others = rows.filter(({ userId }) => userId === null || userId !== userIdOf(tx.actor));
  if (others.some(({ suspended }) => suspended)) throw new Refusal('chats.numberKnown');
  const holder = tx.client.number
    ? others.find(({ verifiedWhatsapp }) => verifiedWhatsapp === number)
    : undefined;
  if (holder && !takeBack) {
    await requireTakeable(tx, holder, number);
    throw new Refusal('chats.numberProven');
  }
  if (!anew && !takeBack && others.some(({ userId }) => userId !== null))
    throw new Refusal('chats.numberClaimed');
}

/** The sender's number. Refuses people who sell already, and the web. */
function requireNewSeller(ctx: Ctx): string {
  const number = ctx.client.number ?? ctx.client.oldNumber;
  if (!inChat(ctx) || number === undefined) throw new Refusal('chats.numberMissing');
  if (ctx.actor.kind !== 'visitor' && ctx.actor.kind !== 'member')
    throw new Refusal('sellers.profileExists');
  return number;
}
