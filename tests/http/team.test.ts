import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ownVersion } from '../../api/legal/version.ts';
import { edit } from '../../api/products/edit.ts';
import { reportListing } from '../../api/reports/report.ts';
import { schema } from '../../db/client.ts';
import { languages } from '../../locales/languages.ts';
import {
  actors,
  type Person,
  signInModerator,
  signUpMember,
  withFactor,
} from '../support/actors.ts';
import { paidPost } from '../support/posts.ts';
import { draft, live, productRow, submitted, uploadPhoto } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';
import { chatting } from '../support/talk.ts';

const market = await servedMarket();
const { seller, member, admin, visitor } = await actors(market);
beforeEach(() => market.reset());
const { user, auditLog, session } = schema;

const give = (email: string, as: Person | typeof visitor = admin, language: 'en' | 'fr' = 'en') =>
  market.call('/api/admin/team', { json: { email }, as, language });
const take = (id: string, as = admin) =>
  market.call(`/api/admin/team/${id}`, { method: 'DELETE', as });
const roleOf = async ({ userId }: Person) =>
  (await market.db.select({ role: user.role }).from(user).where(eq(user.id, userId)))[0]?.role;

describe('an admin', () => {
  test('ends the chats that were linked before', async () => {
    const person = await signUpMember(market);
    const chat = await chatting(market, { person, language: 'en', address: person.userId });
    await give(person.email);
    expect((await chat.row())?.userId).toBeNull();
  });

  test('makes a member a moderator, who signs in again at the admins’ door, and ends it', async () => {
    const person = await signUpMember(market, { name: 'Ama' });
    expect((await give(person.email.toUpperCase())).status).toBe(200);
    expect(await roleOf(person)).toBe('moderator');
    expect(await market.db.$count(session, eq(session.userId, person.userId))).toBe(0);
    expect((await market.mails.lastTo(person.email)).text).toContain('/en/admin/auth');

    const { body } = await market.call<{ team: object[] }>('/api/admin/team', { as: admin });
    expect(body.team).toContainEqual(
      expect.objectContaining({ name: 'Ama', role: 'moderator', factor: false }),
    );
    const entered = await market.call('/api/auth/admin/sign-in', {
      json: { email: person.email, password: person.password },
      as: person,
    });
    expect(entered.status).toBe(200);
    const pending = () => market.call('/api/admin/products/pending', { as: person });
    expect((await pending()).status).toBe(200);

    await withFactor(market, person);
    expect((await take(person.userId)).status).toBe(200);
    expect(await roleOf(person)).toBe('member');
    expect((await pending()).status).toBe(401);
    const { secondFactors } = schema;
    expect(await market.db.$count(secondFactors, eq(secondFactors.userId, person.userId))).toBe(0);
    expect((await market.mails.lastTo(person.email)).subject).toContain('no longer');
    const acts = await market.db
      .select({ action: auditLog.action, subject: auditLog.subjectId, by: auditLog.actorId })
      .from(auditLog)
      .where(eq(auditLog.subjectId, person.userId));
    expect(acts.filter(({ action }) => action.startsWith('team.'))).toEqual([
      { action: 'team.give', subject: person.userId, by: admin.userId },
      { action: 'team.take', subject: person.userId, by: admin.userId },
    ]);
  });

  test.each([
    ['an address without an account', () => 'nobody@example.test', 409, 'team.nobody'],
    ['a seller', () => seller.email, 409, 'team.sells'],
    ['an admin', () => admin.email, 409, 'team.already'],
    ['no address', () => 'ama', 400, 'validation'],
  ])('does not make %s a moderator, and reads why', async (_, email, status, code) => {
    const refused = await give(email(), admin, 'fr');
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect(await roleOf(seller)).toBe('member');
  });

  test('ends no other role, and another’s twice is refused', async () => {
    const person = await signInModerator(market);
    expect((await take(admin.userId)).body.error.code).toBe('team.notModerator');
    expect((await take(person.userId)).status).toBe(200);
    expect((await take(person.userId)).body.error.code).toBe('team.notModerator');
    expect((await take('nobody')).status).toBe(404);
    expect(await roleOf(admin)).toBe('admin');
  });

  test('gives the role once, of two who give it at the same time', async () => {
    const person = await signUpMember(market);
    const answers = await Promise.all([give(person.email), give(person.email)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

/** Sends a change of a listed product, with this number. */
async function change(id: string, sellerWhatsapp: string): Promise<void> {
  const {
    durationHours: _d,
    listingType: _l,
    paymentMethod: _p,
    preferredFeaturedSlot: _s,
    ...changes
  } = draft({ images: [await uploadPhoto(market, seller)], sellerWhatsapp });
  await edit(await market.ctx(seller), id, changes);
}

describe('a moderator', () => {
  const numberOf = (text: string) => text.includes(seller.whatsapp.slice(4));

  test('reviews what waits, without a number, a fee or a way to pay', async () => {
    const moderator = await signInModerator(market);
    const { id } = await submitted(market, seller);
    const ask = (as: Person) => market.request('/api/admin/products/pending', { as });
    expect(numberOf(await (await ask(admin)).text())).toBe(true);
    const text = await (await ask(moderator)).text();
    expect(numberOf(text)).toBe(false);
    const [product] = JSON.parse(text).products;
    expect(product).toMatchObject({
      ...{ id, listingFee: null, feeReference: null, paymentMethod: null },
      sellerWhatsapp: null,
    });
    const approved = await market.call(`/api/admin/products/${id}/approve`, {
      method: 'POST',
      as: moderator,
    });
    expect(approved.status).toBe(200);
    const acts = await market.db
      .select({ action: auditLog.action, kind: auditLog.actorKind })
      .from(auditLog)
      .where(eq(auditLog.actorId, moderator.userId));
    expect(acts).toEqual([{ action: 'product.approve', kind: 'moderator' }]);
  });

  test('sees that a change brings another number, and neither of the two', async () => {
    const moderator = await signInModerator(market);
    const { id } = await live(market, seller, admin);
    const other = `+2376770033${seller.whatsapp.slice(-2)}`;
    await change(id, other);
    const text = await (
      await market.request('/api/admin/products/edits', { as: moderator })
    ).text();
    const [edit] = JSON.parse(text).edits;
    expect([edit.before.sellerWhatsapp, edit.after.sellerWhatsapp]).toEqual(['…', '≠']);
    expect(numberOf(text) || text.includes(other.slice(4))).toBe(false);
    await change(id, (await productRow(market, id)).sellerWhatsapp ?? '');
    const again = await market.call<{ edits: (typeof edit)[] }>('/api/admin/products/edits', {
      as: moderator,
    });
    expect(again.body.edits[0].after.sellerWhatsapp).toBe('…');
  });

  test('removes what was reported, whose listing ends by the team, and nothing else', async () => {
    const moderator = await signInModerator(market);
    const reported = await live(market, seller, admin);
    await reportListing(await market.ctx(member), reported.id, { reason: 'fraud' });
    const remove = (path: string, json = {}) =>
      market.call(path, { method: 'POST', json, as: moderator });
    const gone = await remove(`/api/admin/reports/${reported.id}/remove`, { resolution: 'Fake' });
    expect(gone.status).toBe(200);
    const { listings } = schema;
    const [listing] = await market.db
      .select({ reason: listings.endReason, by: listings.endedBy })
      .from(listings)
      .where(eq(listings.productId, reported.id));
    expect(listing).toEqual({ reason: 'reported', by: moderator.userId });
    const other = await live(market, seller, admin);
    expect((await remove(`/api/admin/queue/${other.id}/remove`)).status).toBe(403);
    expect((await remove(`/api/admin/queue/${reported.id}/restore`)).status).toBe(403);
  });

  test('takes a post down without its owner’s address, and gives no credits back', async () => {
    const moderator = await signInModerator(market);
    const reference = await paidPost(market, member);
    const posts = async (as: Person) =>
      (await market.request('/api/admin/connect/posts?show=active', { as })).text();
    expect(await posts(admin)).toContain(member.email);
    expect(await posts(moderator)).toContain(reference);
    expect(await posts(moderator)).not.toContain(member.email);
    const hide = (refund: boolean) =>
      market.call(`/api/admin/connect/posts/${reference}/hide`, {
        method: 'POST',
        json: { reason: 'Spam', refund },
        as: moderator,
        headers: { 'idempotency-key': randomUUID() },
      });
    expect((await hide(true)).body.error.code).toBe('forbidden');
    expect((await hide(false)).body).toEqual({ refunded: false });
  });

  test('decides about no post of the own', async () => {
    const moderator = await signInModerator(market);
    const reference = await paidPost(market, moderator);
    for (const [act, json] of [
      ['hide', { reason: 'Mine', refund: false }],
      ['unhide', undefined],
      ['resolve', { resolution: 'Fine' }],
    ] as const) {
      const answer = await market.call(`/api/admin/connect/posts/${reference}/${act}`, {
        ...{ method: 'POST', as: moderator, headers: { 'idempotency-key': randomUUID() } },
        ...(json && { json }),
      });
      expect(answer.body.error.code, act).toBe('forbidden');
    }
  });

  test('cannot begin to sell', async () => {
    const moderator = await signInModerator(market);
    const made = await market.call('/api/auth/profile', {
      method: 'PUT',
      json: { name: 'Ama Ngo', whatsapp: '+237699001122', location: 'Douala' },
      as: moderator,
    });
    expect([made.status, made.body.error.code]).toEqual([403, 'forbidden']);
    const { email, password } = moderator;
    await market.call('/api/auth/sign-up', {
      json: {
        ...{ email, password, name: 'Ama Ngo', selling: true, agreed: ownVersion.id },
        ...{ whatsapp: '+237699001122', location: 'Douala, Littoral' },
      },
    });
    const { sellers } = schema;
    expect(await market.db.$count(sellers, eq(sellers.userId, moderator.userId))).toBe(0);
  });

  test.each([...languages])('finds the pages of the role alone, in %s', async (language) => {
    const moderator = await signInModerator(market);
    const open = async (path: string) =>
      await market.get(`/${language}/admin${path}`, { cookie: moderator.jar.header() ?? '' });
    expect((await open('')).headers.location).toEqual([`/${language}/admin/products/pending`]);
    for (const path of ['/products/pending', '/reports', '/connect', '/settings']) {
      const { status, body } = await open(path);
      expect(status, path).toBe(200);
      for (const hidden of ['/admin/audit', '/admin/credits', '/admin/users', '/admin/analytics'])
        expect(body, path).not.toContain(`href="/${language}${hidden}"`);
    }
    for (const path of ['/dashboard', '/slots', '/queue', '/users', '/credits', '/analytics'])
      expect((await open(path)).status, path).toBe(403);
    const { id } = await submitted(market, seller);
    for (const path of [
      '/cleanup',
      '/audit',
      '/runbook',
      '/products/upload',
      `/products/${id}/edit`,
    ])
      expect((await open(path)).status, path).toBe(403);
  });

  test('acts in a chat only with a second factor', async () => {
    const moderator = await signInModerator(market);
    const code = () => market.call('/api/chats/code', { method: 'POST', as: moderator });
    expect((await code()).body.error.code).toBe('chats.factorNeeded');
    const chat = await chatting(market, { person: moderator, language: 'en' });
    await chat.say('balance');
    expect((await chat.row())?.userId).toBeNull();
    await withFactor(market, moderator);
    expect((await code()).status).toBe(200);
  });
});
