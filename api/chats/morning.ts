import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Reply } from '../core/chatMessages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { morningKind, withRoomToday } from '../people/daily.ts';
import { windowOpen } from '../people/window.ts';
import { ownProducts } from '../products/reads.ts';
import { typed } from '../shared/commands.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { productCode } from '../shared/slugs/productCode.ts';
import { money } from '../shared/text.ts';
import { contextIn } from './chat.ts';
import { replyRows } from './replies.ts';

const { chats, outbox } = schema;
const hourMs = 3_600_000;
/** A second run of a day tells nobody again. */
const onceMs = 20 * hourMs;
/** WhatsApp's 24 hours must last until the message is sent. */
const sendingMs = hourMs / 4;
/** Ended listings are offered again for so long. */
const endedMs = 7 * 24 * hourMs;
/** WhatsApp's lists have ten rows. */
const mostListings = 8;

/**
 * Scheduled job: tells sellers who chose it how their listings do, in one chat, once a day. On the
 * Cloud API only chats whose 24 hours are open get it.
 */
export async function tellMornings(ctx: Ctx): Promise<{ told: number }> {
  requireAdmin(ctx);
  const due = await ctx.db.select({ keyHash: chats.keyHash }).from(chats).where(isDue(ctx));
  let told = 0;
  for (const { keyHash } of due) {
    if (ctx.signal?.aborted) break;
    // One chat's failure costs the others nothing.
    const isTold = await inTransaction(ctx, (tx) => tell(tx, keyHash)).catch((error) => {
      ctx.services.log.error('A morning message could not be written', { chat: keyHash, error });
      return false;
    });
    if (isTold) told++;
  }
  return { told };
}

const isDue = ({ services, now }: Ctx) =>
  and(
    eq(chats.morningOn, true),
    isNotNull(chats.userId),
    isNull(chats.closedAt),
    isNull(chats.stoppedAt),
    isNull(chats.blockedAt),
    inArray(chats.transport, services.env.networks),
    or(isNull(chats.morningToldAt), lt(chats.morningToldAt, new Date(now().getTime() - onceMs))),
  );

async function tell(tx: Tx, keyHash: string): Promise<boolean> {
  const now = tx.now();
  const [chat] = await tx.db
    .update(chats)
    .set({ morningToldAt: now })
    .where(and(eq(chats.keyHash, keyHash), isDue(tx)))
    .returning();
  const isCloud = chat?.transport === 'whatsapp' && tx.services.env.WHATSAPP_CLOUD_TOKEN;
  if (!chat || (isCloud && !windowOpen(chat.wroteAt, new Date(now.getTime() + sendingMs))))
    return false;
  const { userId } = chat;
  if (!userId || !(await withRoomToday(tx, [userId])).has(userId)) return false;
  const person = await contextIn(tx, keyHash);
  const sells = person && 'seller' in person.actor && person.actor.seller;
  const news = sells ? await newsFor(person) : undefined;
  if (!person || !news) return false;
  await tx.db
    .insert(outbox)
    .values(replyRows(person, chat, [news], morningKind).map((row) => ({ ...row, userId })));
  return true;
}

type Own = Awaited<ReturnType<typeof ownProducts>>['products'][number];

/** Undefined for a seller without live or lately ended listings. */
async function newsFor(ctx: Ctx): Promise<Reply | undefined> {
  const { products } = await ownProducts(ctx, { pageSize: 50 });
  const since = ctx.now().getTime() - endedMs;
  const live = products.filter(({ label, paused }) => label === 'live' && !paused);
  const ended = products.filter(
    ({ label, can, endedAt }) =>
      label === 'ended' && can.relist && endedAt !== null && Date.parse(endedAt) > since,
  );
  const shown = [...live, ...ended].slice(0, mostListings);
  if (shown.length === 0) return undefined;
  const { language } = ctx;
  const t = translator(language, 'bot');
  return {
    text: [
      t('morning.title'),
      ...shown.map((product) => lineOf(product, language)),
      t('morning.end'),
    ].join('\n\n'),
    buttons: shown.flatMap((product) => {
      const { can, label } = product;
      const act = label === 'ended' ? 'relist' : can.sold ? 'sold' : undefined;
      return act ? [[buttonOf(product, act, language)]] : [];
    }),
  };
}

function lineOf({ name, slotId, endTime, figures, relistFee }: Own, language: Language): string {
  const t = translator(language, 'bot');
  const words = { name: nameIn(name, language) };
  const { views, messageTaps: contacts, shares } = figures;
  return [
    slotId !== null && endTime !== null
      ? t('morning.live', {
          ...words,
          slot: slotNumber(slotId),
          end: dayAndTime(new Date(endTime), language),
        })
      : t('morning.ended', words),
    t('mine.figures', { views, contacts, shares }),
    slotId === null &&
      relistFee !== null &&
      t('morning.fee', { amount: money(relistFee, language) }),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Its text stated what it does, so it carries the yes. */
function buttonOf({ id, name }: Own, act: 'relist' | 'sold', language: Language) {
  const t = translator(language, 'bot');
  const title = nameIn(name, language);
  const description = t(`button.${act}`);
  return {
    label: t('morning.button', { act: description, name: title }),
    say: typed(language, act, productCode(id), typed(language, 'yes')),
    row: { title, description },
  };
}
