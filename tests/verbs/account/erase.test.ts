import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteLeavers } from '../../../api/account/leaving/erase.ts';
import { leave } from '../../../api/account/leaving/leave.ts';
import { stay } from '../../../api/account/leaving/stay.ts';
import { limits } from '../../../api/account/rules.ts';
import { receive } from '../../../api/chats/inbox.ts';
import { newLinkCode } from '../../../api/chats/linking/newLinkCode.ts';
import { requestContact } from '../../../api/contact/request.ts';
import { once } from '../../../api/core/idempotency.ts';
import { fees, markFee } from '../../../api/listings/fees.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { edit } from '../../../api/products/edit.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { notifySeller } from '../../../api/sellers/notify.ts';
import { createProfile } from '../../../api/sellers/profile.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { unbar } from '../../../api/sellers/unbar.ts';
import { unsuspendSeller } from '../../../api/sellers/unsuspendSeller.ts';
import { verifySeller } from '../../../api/sellers/verify.ts';
import { cardKey } from '../../../api/sharecards/cards.ts';
import { retention } from '../../../api/shared/retention/table.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { schema } from '../../../db/client.ts';
import { accountActions } from '../../support/account.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
} from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { auditLines } from '../../support/audit.ts';
import { chatOf } from '../../support/chat.ts';
import { approved, draft, live, submitted, uploadPhoto } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { as, rowOf, sessionsOf, graceOver, everything } = accountActions(market);
const { barredEmails, keptFees, listings, outbox, products, sellers, user } = schema;
const admin = await signInAdmin(market, { name: 'Admin' });
const neighbour = await signUpSeller(market, { name: 'Neighbour' });
beforeEach(() => market.reset());
const asked = async (person: Person) => leave(await as(person), { password: person.password });
const ofAdmin = () => market.ctx(admin);

let busyOnes = 0;
/** A person with a trace in every table that can hold one. */
async function busy(): Promise<{ person: Person; shown: string }> {
  const person = await signUpSeller(market, {
    name: 'Zoalinge Mengue-Unique',
    email: `zoalinge.unique${++busyOnes}@example.test`,
    location: 'Sangmelima, South',
  });
  await market.db
    .update(sellers)
    .set({ businessName: 'Zoalinge Unique & Filles' })
    .where(eq(sellers.id, person.sellerId ?? ''));
  const asAdmin = await ofAdmin();
  const { name, description, category, price, sellerName, sellerLocation } = draft({
    name: { en: 'Chair of Zoalinge Mengue-Unique' },
    sellerName: person.name,
  });
  const shown = await live(market, person, admin, {
    name,
    businessName: 'Zoalinge Unique & Filles',
  });
  const change = {
    name,
    description,
    category,
    price: price + 1,
    sellerName,
    sellerLocation,
    sellerWhatsapp: person.whatsapp,
  };
  await edit(await market.ctx(person), shown.id, {
    ...change,
    images: [await uploadPhoto(market, person)],
  });
  await approved(market, person, admin);
  await reject(
    asAdmin,
    (await submitted(market, person, { name })).id,
    `Please, ${person.name}, better photos`,
  );
  await submitted(market, person);
  await uploadPhoto(market, person);
  await verifySeller(asAdmin, person.sellerId ?? '', { number: person.whatsapp });
  await notifySeller(asAdmin, person.sellerId ?? '', {
    subject: 'Hello Zoalinge',
    message: `Call us, ${person.whatsapp.slice(4)}`,
  });
  await suspendSeller(asAdmin, person.sellerId ?? '', `Wrote from ${person.email}`);
  await unsuspendSeller(asAdmin, person.sellerId ?? '');
  await switchNotification(await market.ctx(person), 'productLive', false);
  await chatOf(market, person, { transport: 'whatsapp', address: person.whatsapp });
  const message = { text: `I am ${person.name}`, number: person.whatsapp };
  await receive(asAdmin, {
    transport: 'whatsapp',
    address: person.whatsapp,
    updateId: `1:${person.userId}`,
    message,
  });
  await newLinkCode(await market.ctx(person));
  const theirs = await live(market, neighbour, admin);
  await requestContact(await market.ctx(person), theirs.id, true);
  await reportListing(await market.ctx(person), theirs.id, {
    reason: 'fraud',
    note: `I am ${person.name}, ${person.email}`,
  });
  await market.call('/api/auth/forgot-password', { json: { email: person.email } });
  await market.call('/api/auth/sign-in-link', { json: { email: person.email } });
  await market.db.transaction((db) =>
    once({ ...asAdmin, db }, person.userId, 'a key', {}, async () => ({ name: person.name })),
  );
  await market.call('/api/account/export', { json: { password: person.password }, as: person });
  for (const language of ['en', 'fr'] as const)
    await market.storage.put(cardKey(shown.id, language), new Uint8Array([1]), 'image/jpeg');
  return { person, shown: shown.id };
}

describe('an account whose seven days are over', () => {
  test('leaves no name, address, number or place of its person anywhere, but the last mail until that is out', async () => {
    const { person } = await busy();
    const files = market.storage.files.size;
    expect(files).toBeGreaterThan(5);
    const signs = [
      person.name,
      'Zoalinge',
      person.email,
      person.whatsapp.slice(-9),
      'Sangmelima',
    ].map((sign) => sign.toLowerCase());
    const before = (await everything()).toLowerCase();
    for (const sign of signs) expect(before, sign).toContain(sign);
    await asked(person);
    expect(await graceOver()).toEqual({ deleted: 1 });
    await market.mails.deliver();
    expect((await market.mails.lastTo(person.email)).subject).toBe('Your account is deleted');
    await deleteLeavers(market.job('delete-accounts'));

    const after = (await everything()).toLowerCase();
    for (const sign of signs)
      expect(
        after.split('\n').filter((row) => row.includes(sign)),
        sign,
      ).toEqual([]);
    expect(await rowOf(person)).toBeUndefined();
    expect(await sessionsOf(person)).toEqual([]);
    expect(await market.db.select().from(schema.chats)).toMatchObject([
      { userId: null, linkedAt: null, state: {} },
    ]);
    expect(await market.db.$count(schema.chatLinkCodes)).toBe(0);
    // The photo of the edit under review was released seven days ago.
    expect(await cleanAbandonedUploads(market.job('clean'))).toBe(1);
    const kept = (await market.db.select().from(products)).flatMap(({ images }) =>
      images.flatMap(({ key, widths }) => widths.map((width) => `${key}-${width}.webp`)),
    );
    expect([...market.storage.files.keys()].sort()).toEqual(kept.sort());
    expect(market.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('leaves rows only where the table of retention says so', async () => {
    const { person } = await busy();
    const signs = [person.userId, person.sellerId ?? '', person.email, person.whatsapp.slice(-9)];
    const tables = async () => {
      const rows = (await everything()).split('\n');
      const about = rows.filter((row) => signs.some((sign) => row.includes(sign)));
      return [...new Set(about.map((row) => row.slice(0, row.indexOf(':'))))].sort();
    };
    const fates = new Map(retention.map(({ table, atDeletion }) => [table, atDeletion]));
    const before = await tables();
    expect(before.filter((table) => !fates.has(table))).toEqual([]);
    const going = before.filter((table) => fates.get(table) === 'row');
    expect(going.length).toBeGreaterThan(12);
    await asked(person);
    await graceOver();
    await market.mails.deliver();
    await deleteLeavers(market.job('delete-accounts'));
    const after = await tables();
    expect(after.filter((table) => (fates.get(table) ?? 'row') === 'row')).toEqual([]);
    expect(after).toContain('audit_log');
  });

  test('keeps of the log who, by number, what and when; and every figure of it', async () => {
    const { person, shown } = await busy();
    const { before, after } = (await auditLines(market, 'seller.suspend'))[0] ?? {};
    expect(after).toMatchObject({ reason: `Wrote from ${person.email}` });
    const lines = await auditLines(market);
    await asked(person);
    await graceOver();
    const left = await auditLines(market);
    expect(
      left
        .slice(0, lines.length)
        .map(({ id, action, at, actorId }) => ({ id, action, at, actorId })),
    ).toEqual(lines.map(({ id, action, at, actorId }) => ({ id, action, at, actorId })));
    expect((await auditLines(market, 'seller.suspend'))[0]).toMatchObject({
      ...{ subjectId: person.sellerId, subjectName: null, actorName: 'Admin', before },
      after: { suspended: true, reason: '[deleted]', pausedSlots: [expect.any(Number)] },
    });
    expect(
      left.find(({ action, subjectId }) => action === 'product.approve' && subjectId === shown),
    ).toMatchObject({ subjectName: null });
    expect(left.at(-1)).toMatchObject({
      action: 'account.delete',
      subjectId: person.userId,
      subjectName: null,
      after: { products: 4, barred: false },
    });
  });

  test('takes an admin’s name out of what they did, and nobody else’s', async () => {
    const second = await signInAdmin(market, { name: 'Second Unique' });
    await suspendSeller(await market.ctx(second), neighbour.sellerId ?? '', 'x');
    await unsuspendSeller(await ofAdmin(), neighbour.sellerId ?? '');
    await asked(second);
    await graceOver();
    expect(
      (await auditLines(market)).filter(({ action }) => action.startsWith('seller.')),
    ).toMatchObject([
      {
        action: 'seller.suspend',
        actorName: null,
        actorId: second.userId,
        subjectName: 'Neighbour',
        after: { reason: 'x' },
      },
      { action: 'seller.unsuspend', actorName: 'Admin', subjectName: 'Neighbour' },
    ]);
    expect(await everything()).not.toContain('Second Unique');
  });

  test('gets none of the mails that waited, and the last one', async () => {
    const person = await signUpSeller(market);
    market.mails.refuse('the mail server is down');
    await submitted(market, person);
    await asked(person);
    await graceOver();
    const waiting = await market.db
      .select({ kind: outbox.kind, userId: outbox.userId })
      .from(outbox)
      .where(eq(outbox.recipient, person.email));
    expect(waiting).toEqual([{ kind: 'accountDeleted', userId: null }]);
  });

  test('runs again after it was killed in the middle, with nothing lost and nothing twice', async () => {
    const people = [await signUpSeller(market), await signUpMember(market)];
    const shown = await live(market, people[0] as Person, admin);
    for (const person of people) await asked(person);
    market.clock.set(new Date(market.clock.now().getTime() + limits.graceMs));
    const remove = market.services.storage.delete;
    market.services.storage.delete = () => Promise.reject(new Error('killed'));
    const stopping = new AbortController();
    stopping.abort();
    expect(
      await deleteLeavers({ ...market.job('delete-accounts'), signal: stopping.signal }),
    ).toEqual({ deleted: 0 });
    expect(await deleteLeavers(market.job('delete-accounts'))).toEqual({ deleted: 2 });
    expect(await deleteLeavers(market.job('delete-accounts'))).toEqual({ deleted: 0 });
    market.services.storage.delete = remove;
    expect(market.storage.files.size).toBeGreaterThan(0);
    await cleanAbandonedUploads(market.job('clean'));
    expect(market.storage.files.size).toBe(0);
    expect(
      await market.db.select().from(outbox).where(eq(outbox.kind, 'accountDeleted')),
    ).toHaveLength(2);
    expect(
      (await auditLines(market, 'account.delete')).map(({ subjectId }) => subjectId).sort(),
    ).toEqual(people.map(({ userId }) => userId).sort());
    expect(await market.db.select().from(products).where(eq(products.id, shown.id))).toEqual([]);
  });

  test('is deleted once by two jobs at once, and kept when the mind was changed in that very moment', async () => {
    const person = await signUpSeller(market);
    await live(market, person, admin);
    await asked(person);
    market.clock.set(new Date(market.clock.now().getTime() + limits.graceMs));
    const jobs = [market.job('a'), market.job('b', market.database.another({ max: 2 }).db)];
    const done = await Promise.all(jobs.map((job) => deleteLeavers(job)));
    expect(done.map(({ deleted }) => deleted).sort()).toEqual([0, 1]);
    const late = await signUpMember(market);
    await asked(late);
    market.clock.set(new Date(market.clock.now().getTime() + limits.graceMs));
    const ctx = await market.ctx(late, { db: market.database.another({ max: 2 }).db });
    const [job, kept] = await Promise.allSettled([deleteLeavers(market.job('c')), stay(ctx)]);
    expect(job.status).toBe('fulfilled');
    expect(kept.status === 'fulfilled').toBe((await rowOf(late)) !== undefined);
  });

  test('that resists does not keep the others', async () => {
    const people = [await signUpMember(market), await signUpMember(market)];
    for (const person of people) await asked(person);
    const [stuck, free] = people as [Person, Person];
    await market.sql.unsafe(
      `create function resist() returns trigger language plpgsql as $$ begin if old.id = '${stuck.userId}' then raise exception 'no'; end if; return old; end $$`,
    );
    await market.sql.unsafe(
      'create trigger resist before delete on "user" for each row execute function resist()',
    );
    try {
      await expect(graceOver()).rejects.toThrow('1 accounts');
    } finally {
      await market.sql.unsafe('drop trigger resist on "user"; drop function resist');
    }
    expect([await rowOf(stuck), await rowOf(free)]).toMatchObject([
      { id: stuck.userId },
      undefined,
    ]);
    expect(await deleteLeavers(market.job('again'))).toEqual({ deleted: 1 });
  });
});

describe('deletion is no way round', () => {
  test('a suspension: the address is barred', async () => {
    const person = await signUpSeller(market);
    await suspend(market, person);
    await asked(person);
    await graceOver();
    expect(await market.db.select().from(barredEmails)).toMatchObject([
      { email: person.email, barredBy: null },
    ]);
    const again = await signUpMember(market, { email: person.email }).catch(() => undefined);
    if (again)
      await refused(
        createProfile(
          asTx(market.job('x')),
          { userId: again.userId, email: again.email },
          { name: 'Again' },
        ),
        'sellers.barred',
      );
    await unbar(await ofAdmin(), person.email);
  });

  test('a bar: it stays', async () => {
    const person = await signUpSeller(market);
    await removeSeller(await ofAdmin(), person.sellerId ?? '');
    await market.call('/api/auth/sign-in', {
      json: { email: person.email, password: person.password },
      as: person,
    });
    await asked(person);
    await graceOver();
    expect(await rowOf(person)).toBeUndefined();
    expect((await market.db.select().from(barredEmails)).map(({ email }) => email)).toEqual([
      person.email,
    ]);
    expect((await auditLines(market, 'seller.delete'))[0]).toMatchObject({
      subjectName: null,
      before: { name: '[deleted]', email: '[deleted]' },
    });
  });
});

describe('fees', () => {
  test('stay without a name, and every figure with them, whoever deletes the product', async () => {
    const [leaver, removed, old] = [
      await signUpSeller(market),
      await signUpSeller(market),
      await signUpSeller(market),
    ];
    const ids: string[] = [];
    for (const person of [leaver, removed, old]) ids.push((await submitted(market, person)).id);
    const [paid] = await market.db
      .select({ id: listings.id })
      .from(listings)
      .where(eq(listings.productId, ids[0] ?? ''));
    await markFee(await ofAdmin(), paid?.id ?? '', 'paid');
    const figures = async (state: 'due' | 'paid') => {
      const { total, gone, fees: shown } = await fees(await ofAdmin(), { state });
      return {
        count: total + gone.count,
        sum: gone.sum + shown.reduce((sum, { listingFee }) => sum + (listingFee ?? 0), 0),
      };
    };
    const before = [await figures('due'), await figures('paid')];
    expect(before).toEqual([
      { count: 2, sum: 6000 },
      { count: 1, sum: 3000 },
    ]);
    await removeSeller(await ofAdmin(), removed.sellerId ?? '');
    await market.db
      .update(products)
      .set({ status: 'rejected', rejectedAt: new Date(0), rejectedReason: 'x' })
      .where(eq(products.id, ids[2] ?? ''));
    await cleanUp(market.job('cleanup'));
    await asked(leaver);
    await graceOver();
    expect(await market.db.select().from(products)).toEqual([]);
    expect([await figures('due'), await figures('paid')]).toEqual(before);
    const kept = await market.db
      .select()
      .from(keptFees)
      .where(eq(keptFees.listingId, paid?.id ?? ''));
    expect(kept).toMatchObject([
      { person: leaver.userId, fee: 3000, feeState: 'paid', feeReference: expect.any(String) },
    ]);
    expect(await market.db.select().from(user).where(eq(user.id, leaver.userId))).toEqual([]);
  });
});
