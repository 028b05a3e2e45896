import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { edit } from '../../../api/products/edit.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { relist } from '../../../api/products/relist.ts';
import { relistAtEnd } from '../../../api/products/relistAtEnd.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { removeReported } from '../../../api/reports/remove.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { closeSelling, openSelling } from '../../../api/sellers/leaving.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { schema } from '../../../db/client.ts';
import { translator } from '../../../locales/index.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import {
  approved,
  draft,
  live,
  photoRow,
  productRow,
  runQueue,
  submitted,
} from '../../support/products.ts';
import { chatting } from '../../support/talk.ts';

/** One rule decides a seller's actions in every state of a product (decision 038). */
const market = await testApp();
const { seller, admin } = await actors(market);
const { listings, products } = schema;
beforeEach(() => market.reset());
afterEach(async () => {
  await unsuspend(market, seller);
  await openSelling(asTx(market.job('test')), seller.userId);
});
const mine = () => market.ctx(seller);
const ofAdmin = () => market.ctx(admin);

const all = ['edit', 'withdraw', 'sold', 'relist', 'again', 'notAgain'] as const;
type Act = (typeof all)[number];

const photo = async () => ({ images: [await photoRow(market, seller)] });
const waiting = async () => (await submitted(market, seller, await photo())).id;
const queued = async () => (await approved(market, seller, admin, await photo())).id;
const shown = async () => live(market, seller, admin, await photo());
const set = (id: string, values: Partial<typeof products.$inferInsert>) =>
  market.db.update(products).set(values).where(eq(products.id, id));
const then =
  (state: () => Promise<string>, ...verbs: ((id: string) => Promise<unknown>)[]) =>
  async () => {
    const id = await state();
    for (const verb of verbs) await verb(id);
    return id;
  };
const own = (verb: (ctx: Ctx, id: string) => Promise<unknown>) => async (id: string) =>
  verb(await mine(), id);
const inSlot = async () => (await shown()).id;
const ended = async () => {
  const { id, endTime } = await shown();
  market.clock.set(endTime);
  await runQueue(market);
  return id;
};
const stopped = async (requeue = false) => {
  const { id, slotId } = await shown();
  if (requeue) await relistAtEnd(await mine(), id, true);
  await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue });
  return id;
};
const reported = async (id: string) => {
  await reportListing(await market.ctx(), id, { reason: 'fraud' });
  await removeReported(await ofAdmin(), id, 'A fake');
};
const takenDown = async (id: string) => removeFromQueue(await ofAdmin(), id);
const leave = async () =>
  inTransaction(market.job('test'), (tx) => closeSelling(tx, seller.sellerId ?? ''));
const changed = async () => ({ ...draft(), ...(await photo()), businessName: undefined });

const states: Record<string, [state: () => Promise<string>, can: readonly Act[]]> = {
  'waits for review': [waiting, ['edit', 'withdraw']],
  rejected: [then(waiting, async (id) => reject(await ofAdmin(), id, 'No')), ['edit']],
  'withdrawn before its review': [then(waiting, own(withdraw)), ['edit', 'relist']],
  'withdrawn before its review, without photos': [
    then(waiting, own(withdraw), (id) => set(id, { images: [] })),
    ['edit'],
  ],
  'in its queue': [queued, ['edit', 'withdraw', 'sold']],
  live: [inSlot, ['edit', 'withdraw', 'sold', 'again']],
  'live and read as active': [
    then(inSlot, (id) => set(id, { status: 'active' })),
    ['edit', 'withdraw', 'sold', 'again'],
  ],
  'live, to be listed again': [
    then(
      inSlot,
      own((ctx, id) => relistAtEnd(ctx, id, true)),
    ),
    ['edit', 'withdraw', 'sold', 'notAgain'],
  ],
  'live, with a change under review': [
    then(
      inSlot,
      own(async (ctx, id) => edit(ctx, id, await changed())),
    ),
    ['edit', 'withdraw', 'sold', 'again'],
  ],
  'over its time, still in its slot': [
    async () => {
      const { id, endTime } = await shown();
      market.clock.set(endTime);
      return id;
    },
    ['edit', 'withdraw', 'sold', 'again'],
  ],
  paused: [
    async () => {
      const { id, slotId } = await shown();
      await pauseSlot(await ofAdmin(), slotId, id);
      return id;
    },
    ['edit', 'withdraw', 'sold', 'again'],
  ],
  'queued again by an admin, to be listed again': [
    () => stopped(true),
    ['edit', 'withdraw', 'sold', 'notAgain'],
  ],
  ended: [ended, ['edit', 'sold', 'relist']],
  'ended, without photos': [then(ended, (id) => set(id, { images: [] })), ['edit', 'sold']],
  'ended by an admin': [() => stopped(), ['edit', 'sold', 'relist']],
  'withdrawn while live': [then(inSlot, own(withdraw)), ['edit', 'sold', 'relist']],
  'withdrawn while queued': [then(queued, own(withdraw)), ['edit', 'sold', 'relist']],
  sold: [then(inSlot, own(markSold)), ['edit', 'relist']],
  'sold after its end': [then(ended, own(markSold)), ['edit', 'relist']],
  'listed again': [then(ended, own(relist)), ['edit', 'withdraw', 'sold']],
  'removed before its review': [
    then(waiting, (id) => set(id, { removedAt: market.clock.now() })),
    [],
  ],
  'removed from its queue': [then(queued, takenDown), []],
  'removed after reports': [then(inSlot, reported), []],
  'removed after reports and given back': [
    then(inSlot, reported, async (id) => restoreProduct(await ofAdmin(), id)),
    ['edit', 'sold', 'relist'],
  ],
  'imported without a listing': [
    then(waiting, (id) => market.db.delete(listings).where(eq(listings.productId, id))),
    ['edit', 'withdraw'],
  ],
  'of a leaving account, live before': [then(inSlot, leave), []],
  'of a leaving account, under review before': [then(waiting, leave), []],
  'of a suspended seller': [then(inSlot, () => suspend(market, seller)), []],
};

const verbs: Record<Act, (ctx: Ctx, id: string) => Promise<unknown>> = {
  edit: async (ctx, id) => edit(ctx, id, await changed()),
  withdraw,
  sold: markSold,
  relist,
  again: (ctx, id) => relistAtEnd(ctx, id, true),
  notAgain: (ctx, id) => relistAtEnd(ctx, id, false),
};

const undone = new Error('undone');
/** True if the verb changes something; a repeated wish is answered, too, and changes nothing. */
async function accepts(act: Act, id: string): Promise<boolean> {
  const ctx = await mine();
  const before = await productRow(market, id);
  let different = act === 'edit';
  try {
    await inTransaction(ctx, async (tx) => {
      await verbs[act](tx, id);
      const [product] = await tx.db.select().from(products).where(eq(products.id, id));
      const rows = await tx.db.select().from(listings).where(eq(listings.productId, id));
      const asked = rows.find((row) => row.id === before.listing?.id)?.againAsked;
      different ||=
        String(product?.updatedAt) !== String(before.updatedAt) ||
        String(asked) !== String(before.listing?.againAsked);
      throw undone;
    });
  } catch (error) {
    if (error instanceof Refusal) return false;
    if (error !== undone) throw error;
  }
  return different;
}

/** Acts that the chat offers as buttons, and those it asks about when their command is typed. */
async function inChat(id: string): Promise<{ offered: Act[]; asked: string[] }> {
  const chat = await chatting(market, { person: seller, language: 'en', address: id });
  const buttonsAfter = async (words: string) =>
    (await chat.say(`${words} ${productCode(id)}`)).flatMap(({ buttons = [] }) => buttons.flat());
  const labels = (await buttonsAfter('listing')).map(({ label }) => label);
  const t = translator('en', 'bot');
  const s = translator('en', 'seller');
  const says: Record<Act, string[]> = {
    edit: [s('listing.actions.edit'), s('listing.actions.correct')],
    withdraw: [t('button.withdraw')],
    sold: [t('button.sold')],
    relist: [t('button.relist')],
    again: [t('button.relistAtEnd')],
    notAgain: [t('button.notAgain')],
  };
  const asked: string[] = [];
  for (const words of ['withdraw', 'sold', 'list again'])
    if ((await buttonsAfter(words)).some((one) => 'say' in one && one.say === 'yes'))
      asked.push(words);
  return { offered: all.filter((act) => says[act].some((label) => labels.includes(label))), asked };
}

test.each(Object.entries(states))(
  'a product that is %s: verbs, dashboard and chat agree',
  async (name, [reach, can]) => {
    const id = await reach();
    market.clock.advance({ minutes: 1 });
    const accepted: Act[] = [];
    for (const act of all) if (await accepts(act, id)) accepted.push(act);
    expect(accepted, 'the verbs accept').toEqual(all.filter((act) => can.includes(act)));
    const { status, body } = await market.call<{
      products: { id: string; can: Record<Act, boolean> }[];
    }>('/api/products/mine', { as: seller });
    if (name === 'of a suspended seller') expect(status).toBe(403);
    else {
      const answered = body.products.find((product) => product.id === id)?.can;
      expect(answered, 'the dashboard reads').toEqual(
        Object.fromEntries(all.map((act) => [act, can.includes(act)])),
      );
    }
    const chat = await inChat(id);
    expect(chat.offered, 'the chat offers').toEqual(accepted);
    expect(chat.asked, 'the chat asks').toEqual([
      ...accepted.filter((act) => act === 'withdraw' || act === 'sold'),
      ...(accepted.includes('relist') || accepted.includes('again') ? ['list again'] : []),
    ]);
  },
);
