import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { sections } from '../../api/account/export/sections.ts';
import { limits } from '../../api/account/rules.ts';
import { addAlert } from '../../api/alerts/add.ts';
import { receive } from '../../api/chats/inbox.ts';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { reportPost } from '../../api/connect/report.ts';
import { respond } from '../../api/connect/respond.ts';
import { newPost } from '../../api/connect/schema.ts';
import { addUpdate } from '../../api/connect/update.ts';
import { requestContact } from '../../api/contact/request.ts';
import { changeDraft } from '../../api/drafts/changeDraft.ts';
import { recordEvent } from '../../api/engagement/record.ts';
import { rollUpEngagement } from '../../api/engagement/rollup.ts';
import { keep } from '../../api/favourites/keep.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { refundPurchase } from '../../api/payments/refund.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { switchNotification } from '../../api/people/switches.ts';
import { edit } from '../../api/products/edit.ts';
import { subscribe } from '../../api/push/subscribe.ts';
import { reportListing } from '../../api/reports/report.ts';
import { completeProfile } from '../../api/sellers/profile.ts';
import { removeSeller } from '../../api/sellers/remove.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { unbar } from '../../api/sellers/unbar.ts';
import { unsuspendSeller } from '../../api/sellers/unsuspendSeller.ts';
import { schema } from '../../db/client.ts';
import { accountActions } from '../support/account.ts';
import { type Person, signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { browserAt } from '../support/browsers.ts';
import { chatOf } from '../support/chat.ts';
import { grant } from '../support/credits.ts';
import { emailChanges } from '../support/emailChange.ts';
import { jpeg } from '../support/photos.ts';
import { draft, live, submitted, uploadPhoto } from '../support/products.ts';
import { filesInZip, textInZip } from '../support/zip.ts';

const market = await testApp();
const emails = emailChanges(market);
const { googleAlone } = accountActions(market);
const admin = await signInAdmin(market, { name: 'Admin' });
beforeEach(() => market.reset());

const ask = async (person: Person) =>
  market.call<{ id: string; error: { code: string } }>('/api/account/export', {
    json: { password: person.password },
    as: person,
  });
const open = (id: string, as: { jar: Person['jar'] }) =>
  market.request(`/api/account/export/${id}`, { as });
async function download(person: Person): Promise<Map<string, Uint8Array>> {
  const answer = await open((await ask(person)).body.id, person);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  return filesInZip(new Uint8Array(await answer.arrayBuffer()));
}
type Data = { version: number; market: string; data: Record<string, Record<string, unknown>[]> };
const dataOf = (files: Map<string, Uint8Array>): Data => JSON.parse(textInZip(files, 'data.json'));

/** Creates data for every section of a download. */
async function busy(person: Person, other: Person): Promise<{ id: string; slotId: number }> {
  const { name: _, ...rest } = draft({ sellerName: person.name, sellerWhatsapp: person.whatsapp });
  const name = { en: `Lamp of ${person.name}` };
  const shown = await live(market, person, admin, { name });
  const { listingType: _l, durationHours: _d, paymentMethod: _p, ...change } = rest;
  await edit(await market.ctx(person), shown.id, {
    ...change,
    name,
    images: [await uploadPhoto(market, person)],
  });
  await submitted(market, person, { name: { en: '=HYPERLINK("http://evil.example")' } });
  await market.call('/api/auth/forgot-password', {
    json: { email: person.email },
    address: person.email,
  });
  await emails.ask(person, `new.${person.email}`);
  await completeProfile(await market.ctx(person), {
    name: person.name,
    businessName: `Chez ${person.name}`,
  });
  await switchNotification(await market.ctx(person), 'productLive', false);
  await subscribe(await market.ctx(person), { ...browserAt(), renews: false });
  await chatOf(market, person);
  const address = `chat of ${person.userId}`;
  await receive(market.job('x'), {
    transport: 'telegram',
    address,
    updateId: `1:${person.userId}`,
    message: { text: 'help' },
  });
  await newLinkCode(await market.ctx(person));
  if (person.sellerId)
    await changeDraft(await market.ctx(person), {
      answers: { 'name.en': `Chair of ${person.name}` },
    });
  await chatOf(market, other);
  await members(person, other);
  return shown;
}
/** A member's Connect data: purchase, post, update, response, report. */
async function members(person: Person, other: Person): Promise<void> {
  await Promise.all([grant(market, person, 5), grant(market, other, 5)]);
  const ctx = await market.ctx(person);
  const { id } = await buyCredits(ctx, 'cash_partner', randomUUID());
  const asAdmin = await market.ctx(admin);
  await settlePurchase(asAdmin, id, randomUUID());
  await refundPurchase(
    asAdmin,
    id,
    { amount: 4, refunded: 0, reference: 'BACK-1', reason: 'Paid twice' },
    randomUUID(),
  );
  const post = (title: string) =>
    newPost.parse({
      title,
      description: 'For Saturday',
      category: 'other',
      contactWhatsapp: '699001000',
    });
  const { reference } = await publishPost(ctx, post(`A driver for ${person.name}`), randomUUID());
  await addUpdate(ctx, reference, { type: 'note', message: 'Still looking' }, randomUUID());
  const theirs = await publishPost(
    await market.ctx(other),
    post(`A driver for ${other.name}`),
    randomUUID(),
  );
  await respond(ctx, theirs.reference, randomUUID());
  await reportPost(ctx, theirs.reference, { reason: 'other', note: `Seen by ${person.name}` });
}
async function visits(person: Person, theirs: { id: string; slotId: number }): Promise<void> {
  const ctx = await market.ctx(person);
  await requestContact(ctx, theirs.id, true);
  await reportListing(ctx, theirs.id, { reason: 'fraud', note: `Seen by ${person.name}` });
  await recordEvent(ctx, { slotId: theirs.slotId, productId: theirs.id, type: 'view' });
}

describe('a download of one’s own data', () => {
  test('has everything about the person, in JSON and as tables, and the pictures', async () => {
    const [person, other] = [
      await signUpSeller(market, { name: 'Essomba' }),
      await signUpSeller(market, { name: 'Nkolo' }),
    ];
    const shown = await busy(person, other);
    const theirs = await live(market, other, admin);
    await visits(person, theirs);
    await recordEvent(await market.ctx(other), {
      slotId: shown.slotId,
      productId: shown.id,
      type: 'view',
    });
    await addAlert(await market.ctx(person), { search: 'q=radio', shop: '', pace: 'now' });
    await keep(await market.ctx(person), shown.id.slice(0, 8), []);
    await rollUpEngagement(market.job('roll-up'));
    const files = await download(person);
    const { version, data } = dataOf(files);
    expect(version).toBe(1);
    // Only admins have acts; the fee of a product stays with it until that is deleted.
    const empty = sections.map(({ name }) => name).filter((name) => data[name]?.length === 0);
    expect(empty).toEqual(['acts', 'kept-fees']);
    expect(data.account).toMatchObject([
      { id: person.userId, name: person.name, email: person.email, role: 'member' },
    ]);
    expect(data.profile).toMatchObject([{ whatsapp: person.whatsapp, location: person.location }]);
    expect(data.products?.map(({ id }) => id)).toContain(shown.id);
    expect(data.listings).toMatchObject([{ fee: 3000, feeState: 'due' }, { fee: 3000 }]);
    expect(data['contacts-asked-for']).toMatchObject([{ productId: theirs.id }]);
    expect(data['letters-switched-off']).toMatchObject([{ kind: 'productLive' }]);
    expect([...files.keys()].filter((name) => name.endsWith('.csv')).sort()).toEqual(
      sections.map(({ name }) => `${name}.csv`).sort(),
    );
    const pictures = [...files].filter(([name]) => name.startsWith('pictures/'));
    expect(pictures).toHaveLength(2);
    for (const [, bytes] of pictures)
      expect(new TextDecoder().decode(bytes.subarray(8, 12))).toBe('WEBP');
  });

  test('has nothing of anybody else', async () => {
    const [person, other] = [
      await signUpSeller(market, { name: 'Essomba' }),
      await signUpSeller(market, { name: 'Nkolo' }),
    ];
    await busy(person, other);
    await busy(other, person);
    const [mine, theirs] = [await live(market, person, admin), await live(market, other, admin)];
    await visits(person, theirs);
    await visits(other, mine);
    const foreign = await everythingOf(other, theirs.id);
    expect(foreign.length).toBeGreaterThan(15);
    for (const who of [person, await signUpMember(market)]) {
      const whole = [...(await download(who))]
        .map(([name, bytes]) => name + new TextDecoder().decode(bytes))
        .join('\n');
      expect(foreign.filter((sign) => whole.includes(sign))).toEqual([]);
    }
  });

  test('tells an admin what they did, and not the addresses that they did it to', async () => {
    const gone = await signUpSeller(market);
    await suspendSeller(await market.ctx(admin), gone.sellerId ?? '', 'x');
    await unsuspendSeller(await market.ctx(admin), gone.sellerId ?? '');
    await removeSeller(await market.ctx(admin), gone.sellerId ?? '');
    await unbar(await market.ctx(admin), gone.email);
    const files = await download(admin);
    expect(dataOf(files).data.acts?.map(({ action }) => action)).toEqual([
      'seller.suspend',
      'seller.unsuspend',
      'seller.delete',
      'seller.unbar',
    ]);
    expect(textInZip(files, 'data.json') + textInZip(files, 'acts.csv')).not.toContain(gone.email);
  });

  test('has no password, no token and no link that lets somebody in', async () => {
    const person = await signUpSeller(market);
    await busy(person, await signUpMember(market));
    const whole = [...(await download(person))]
      .map(([, bytes]) => new TextDecoder().decode(bytes))
      .join('\n');
    const rows = await market.sql`select password as secret
        from account where user_id = ${person.userId}
        union all select token from session where user_id = ${person.userId}
      union all select substr(identifier, 16) from verification where value = ${person.userId}
        union all select sealed_address from chats where user_id = ${person.userId}`;
    expect(rows).toHaveLength(4);
    for (const { secret } of rows) expect(whole).not.toContain(secret);
    expect(whole).not.toMatch(/token=/);
  });

  test('runs nothing in a spreadsheet', async () => {
    const person = await signUpSeller(market);
    await busy(person, await signUpMember(market));
    await market.db.update(schema.products).set({ businessName: '=1+1' });
    const table = textInZip(await download(person), 'products.csv');
    expect(table).toContain("'=1+1");
    expect(table).not.toMatch(/(^|,|\n)"?=/);
  });

  test('is written while it is read, a picture at a time', async () => {
    const person = await signUpSeller(market);
    const images = [
      await uploadPhoto(market, person, await jpeg()),
      await uploadPhoto(market, person, await jpeg()),
    ];
    await submitted(market, person, { images });
    const { body } = await ask(person);
    const reads: string[] = [];
    const { get } = market.services.storage;
    market.services.storage.get = (key) => {
      reads.push(key);
      return get(key);
    };
    try {
      const reader = (await open(body.id, person)).body?.getReader();
      await reader?.read();
      expect(reads).toEqual([]);
      // A reader who stops lets the next one begin.
      expect((await ask(person)).body.error.code).toBe('account.exportRunning');
      await reader?.cancel();
      expect(reads.length).toBeLessThan(2);
      expect((await ask(person)).status).toBe(200);
    } finally {
      market.services.storage.get = get;
    }
  });
});

describe('the link of a download', () => {
  test('is good once, for its person alone, and for five minutes', async () => {
    const [person, other] = [await signUpMember(market), await signUpMember(market)];
    const first = (await ask(person)).body.id;
    expect((await open(first, other)).status).toBe(410);
    expect((await open(first, market.visitor())).status).toBe(401);
    expect((await open(first, person)).status).toBe(200);
    expect((await open(first, person)).status).toBe(410);
    market.clock.advance({ minutes: 16 });
    const second = (await ask(person)).body.id;
    market.clock.advance({ minutes: 5 });
    expect((await open(second, person)).status).toBe(410);
  });

  test('two opened at once are one download', async () => {
    const person = await signUpMember(market);
    const links = [(await ask(person)).body.id, (await ask(person)).body.id];
    const answers = await Promise.all(links.map((id) => open(id, person)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    for (const answer of answers) await answer.arrayBuffer();
  });

  test('is given three times a day, and to nobody without the password or a fresh sign-in', async () => {
    const person = await signUpMember(market);
    expect((await market.call('/api/account/export', { json: {}, as: person })).body).toMatchObject(
      {
        error: { code: 'validation', fields: [{ path: 'password' }] },
      },
    );
    const atOnce = await Promise.all(Array.from({ length: 12 }, () => ask(person)));
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(limits.exportsADay);
    expect(await ask(person)).toMatchObject({
      status: 429,
      body: { error: { code: 'account.exportOften' } },
    });
    market.clock.advance({ days: 1, seconds: 1 });
    await googleAlone(person, 11);
    expect(
      (await market.call('/api/account/export', { json: {}, as: person })).body.error.code,
    ).toBe('account.signInAgain');
    await googleAlone(person, 1);
    expect((await market.call('/api/account/export', { json: {}, as: person })).status).toBe(200);
    expect(
      await market.db
        .select()
        .from(schema.dataExports)
        .where(eq(schema.dataExports.userId, person.userId)),
    ).toHaveLength(4);
  });
});

/**
 * Ids, addresses, names and texts only in the other person's rows. Public ids of visited things
 * also belong to the visitor.
 */
async function everythingOf(other: Person, visited: string): Promise<string[]> {
  const [seller] = await market.sql`select id from sellers where user_id = ${other.userId}`;
  const rows = await market.sql<{ id: string }[]>`
    select id::text as id from products where seller_id = ${seller?.id}
      union all select id::text from session where user_id = ${other.userId}
    union all select l.id::text from listings l join products p on p.id = l.product_id where p.seller_id = ${seller?.id}
    union all select fee_reference from listings l join products p on p.id = l.product_id
      where p.seller_id = ${seller?.id}
    union all select id from account where user_id = ${other.userId}
      union all select slug from products where seller_id = ${seller?.id}`;
  const { userId, email, name, whatsapp } = other;
  return [
    ...rows.map(({ id }) => id),
    userId,
    email,
    name,
    whatsapp.slice(-9),
    `Seen by ${name}`,
  ].filter((sign) => sign !== visited);
}
