import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { adminPosts, reportsOfPost } from '../../api/connect/adminReads.ts';
import { hidePost, resolvePostReports, unhidePost } from '../../api/connect/hide.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { feed, readPost } from '../../api/connect/reads.ts';
import { reportPost } from '../../api/connect/report.ts';
import { respond } from '../../api/connect/respond.ts';
import { newPost } from '../../api/connect/schema.ts';
import { setPostStatus } from '../../api/connect/toggle.ts';
import { addUpdate } from '../../api/connect/update.ts';
import { type Person, signInAdmin, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { lastAudit } from '../support/audit.ts';
import { balanceOf, expectSoundCredits, grant } from '../support/credits.ts';

const market = await testApp();
let owner: Person;
let other: Person;
let admin: Person;
let reference: string;
const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code });
beforeEach(async () => {
  await market.reset({ accounts: true });
  [owner, other, admin] = await Promise.all([signUpMember(market), signUpMember(market), signInAdmin(market)]);
  await Promise.all([grant(market, owner, 10), grant(market, other, 10)]);
  const post = newPost.parse({ title: 'A plumber', description: 'My tap leaks', category: 'repairs', contactWhatsapp: '699001000' });
  ({ reference } = await publishPost(await market.ctx(owner), post, randomUUID()));
});
const hide = async (refund = false) => hidePost(await market.ctx(admin), reference, { reason: 'No service at all', refund });
const report = async (visitor: string, reason: 'fraud' | 'other' = 'fraud') =>
  reportPost(await market.ctx(undefined, { client: { visitor, addressHash: 'a', userAgent: '' } }), reference, { reason, note: `By ${visitor}` });

describe('taking a post down', () => {
  test('hides it from everybody but its owner, who is told why, and stops what is paid for', async () => {
    await respond(await market.ctx(other), reference, randomUUID());
    const stranger = await signUpMember(market);
    await grant(market, stranger, 5);
    market.mails.clear();
    expect(await hide()).toEqual({ refunded: false });
    expect((await feed(await market.ctx(), {})).posts).toEqual([]);
    for (const person of [undefined, stranger, other]) await expect(readPost(await market.ctx(person), reference)).rejects.toEqual(refused('connect.notFound'));
    expect(await readPost(await market.ctx(owner), reference)).toMatchObject({ hiddenReason: 'No service at all', can: { update: false, toggle: false } });
    await expect(respond(await market.ctx(stranger), reference, randomUUID())).rejects.toEqual(refused('connect.notFound'));
    // Whoever paid before still reaches the owner.
    expect((await respond(await market.ctx(other), reference, randomUUID())).paid).toBe(false);
    await expect(addUpdate(await market.ctx(owner), reference, { type: 'note', message: 'x' }, randomUUID())).rejects.toEqual(refused('connect.hidden'));
    await expect(setPostStatus(await market.ctx(owner), reference, 'closed')).rejects.toEqual(refused('connect.hidden'));
    expect((await market.mails.lastTo(owner.email)).subject).toBe('Your post “A plumber” was taken down');
    expect(await lastAudit(market)).toMatchObject({ action: 'post.hide', subjectKind: 'post', after: { hidden: true, reason: 'No service at all' } });
    await expect(hide()).rejects.toEqual(refused('conflict'));
  });

  test('gives the two credits back once, to who paid, and never again', async () => {
    expect(await balanceOf(market, owner)).toBe(8);
    expect(await hide(true)).toEqual({ refunded: true });
    expect(await balanceOf(market, owner)).toBe(10);
    await unhidePost(await market.ctx(admin), reference);
    expect(await hide(true)).toEqual({ refunded: false });
    expect(await balanceOf(market, owner)).toBe(10);
    await expectSoundCredits(market);
  });

  test('is undone as it was', async () => {
    await hide();
    await unhidePost(await market.ctx(admin), reference);
    expect((await feed(await market.ctx(), {})).posts).toHaveLength(1);
    await expect(unhidePost(await market.ctx(admin), reference)).rejects.toEqual(refused('conflict'));
  });

  test('is an admin’s, as are the lists', async () => {
    const ctx = await market.ctx(owner);
    await expect(hidePost(ctx, reference, { reason: 'Mine', refund: true })).rejects.toEqual(refused('forbidden'));
    await expect(unhidePost(ctx, reference)).rejects.toEqual(refused('forbidden'));
    await expect(resolvePostReports(ctx, reference, 'Mine')).rejects.toEqual(refused('forbidden'));
    await expect(adminPosts(ctx, { show: 'active' })).rejects.toEqual(refused('forbidden'));
    await expect(reportsOfPost(ctx, reference)).rejects.toEqual(refused('forbidden'));
  });
});

describe('reports of posts', () => {
  test('are kept once a visitor and reason, listed, and closed with the post or without', async () => {
    await report('one');
    await report('two');
    await report('two', 'other');
    await expect(report('two')).rejects.toEqual(refused('connect.alreadyReported'));
    const listed = async (show: 'reported' | 'hidden' | 'active' | 'closed') => (await adminPosts(await market.ctx(admin), { show })).posts;
    expect(await listed('reported')).toMatchObject([{ reference, openReports: 3, owner: owner.name }]);
    expect((await reportsOfPost(await market.ctx(admin), reference)).reports).toHaveLength(3);
    expect(await resolvePostReports(await market.ctx(admin), reference, 'A real plumber')).toEqual({ resolved: 3 });
    expect(await listed('reported')).toEqual([]);
    await expect(resolvePostReports(await market.ctx(admin), reference, 'Again')).rejects.toEqual(refused('conflict'));
    await report('three');
    await hide();
    expect(await listed('reported')).toEqual([]);
    expect(await listed('hidden')).toHaveLength(1);
    await expect(report('four')).rejects.toEqual(refused('connect.notFound'));
  });
});
