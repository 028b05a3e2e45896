import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { adminPosts, reportsOfPost } from '../../../api/connect/adminReads.ts';
import { hidePost } from '../../../api/connect/hide.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { feed, readPost } from '../../../api/connect/reads.ts';
import { reportPost } from '../../../api/connect/report.ts';
import { resolvePostReports } from '../../../api/connect/resolvePostReports.ts';
import { respond } from '../../../api/connect/respond.ts';
import { newPost } from '../../../api/connect/schema.ts';
import { setPostStatus } from '../../../api/connect/toggle.ts';
import { unhidePost } from '../../../api/connect/unhidePost.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import type { ErrorBody } from '../../../api/shared/errors.ts';
import { type Person, signInAdmin, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { lastAudit } from '../../support/audit.ts';
import { balanceOf, expectSoundCredits, grant } from '../../support/credits.ts';
import { collide } from '../../support/race.ts';
import { outcomesOf, refused } from '../../support/refusals.ts';

const market = await testApp();
let owner: Person;
let other: Person;
let admin: Person;
let reference: string;
const refusal = (code: string) => expect.objectContaining({ name: 'Refusal', code });
beforeEach(async () => {
  await market.reset({ accounts: true });
  [owner, other, admin] = await Promise.all([
    signUpMember(market),
    signUpMember(market),
    signInAdmin(market),
  ]);
  await Promise.all([grant(market, owner, 10), grant(market, other, 10)]);
  const post = newPost.parse({
    title: 'A plumber',
    description: 'My tap leaks',
    category: 'repairs',
    contactWhatsapp: '699001000',
  });
  ({ reference } = await publishPost(await market.ctx(owner), post, randomUUID()));
});
const hide = async (refund = false) =>
  hidePost(await market.ctx(admin), reference, { reason: 'No service at all', refund });
const report = async (
  visitor: string,
  reason: 'fraud' | 'other' = 'fraud',
  addressHash = visitor,
) =>
  reportPost(
    await market.ctx(undefined, { client: { visitor, addressHash, userAgent: '' } }),
    reference,
    { reason, note: `By ${visitor}` },
  );

describe('taking a post down', () => {
  test('hides it from everybody but its owner, who is told why, and stops what is paid for', async () => {
    await respond(await market.ctx(other), reference, randomUUID());
    const stranger = await signUpMember(market);
    await grant(market, stranger, 5);
    market.mails.clear();
    expect(await hide()).toEqual({ refunded: false });
    expect((await feed(await market.ctx(), {})).posts).toEqual([]);
    for (const person of [undefined, stranger, other])
      await expect(readPost(await market.ctx(person), reference)).rejects.toEqual(
        refusal('connect.notFound'),
      );
    expect(await readPost(await market.ctx(owner), reference)).toMatchObject({
      hiddenReason: 'No service at all',
      can: { update: false, toggle: false },
    });
    await expect(respond(await market.ctx(stranger), reference, randomUUID())).rejects.toEqual(
      refusal('connect.notFound'),
    );
    // Members who paid before still reach the owner.
    expect((await respond(await market.ctx(other), reference, randomUUID())).paid).toBe(false);
    await expect(
      addUpdate(await market.ctx(owner), reference, { type: 'note', message: 'x' }, randomUUID()),
    ).rejects.toEqual(refusal('connect.hidden'));
    await expect(setPostStatus(await market.ctx(owner), reference, 'closed')).rejects.toEqual(
      refusal('connect.hidden'),
    );
    expect((await market.mails.lastTo(owner.email)).subject).toBe(
      'Your post “A plumber” was taken down',
    );
    expect(await lastAudit(market)).toMatchObject({
      action: 'post.hide',
      subjectKind: 'post',
      after: { hidden: true, reason: 'No service at all' },
    });
    await expect(hide()).rejects.toEqual(refusal('conflict'));
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

  test('by two admins at once is one decision: the second reads that it is done, nothing is done twice', async () => {
    const second = await signInAdmin(market);
    const contexts = [
      await market.ctx(admin),
      await market.ctx(second, { db: market.database.another({ max: 2 }).db, language: 'fr' }),
    ];
    const ended = await collide(
      market.sql,
      'select from connect_posts for update',
      contexts.map(
        (ctx) => () => hidePost(ctx, reference, { reason: 'No service at all', refund: true }),
      ),
    );
    expect(outcomesOf(ended)).toEqual(['conflict', 'kept']);
    expect(await balanceOf(market, owner)).toBe(10);
    const told = (
      await market.call<ErrorBody>(`/api/admin/connect/posts/${reference}/hide`, {
        as: second,
        json: { reason: 'Again' },
        language: 'fr',
      })
    ).body;
    expect(told.error.message).toMatch(/^Cette demande a été retirée entre-temps\./);
    await unhidePost(await market.ctx(admin), reference);
    const late = await refused(unhidePost(await market.ctx(second), reference), 'conflict');
    expect(late.params.what).toBe('This post has been put back in the meantime.');
    await expectSoundCredits(market);
  });

  test('sent again under its key, because the answer was lost, is the same decision', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = (verb: string, json: object = {}, key = headers) =>
      market.call(`/api/admin/connect/posts/${reference}/${verb}`, {
        as: admin,
        json,
        headers: key,
      });
    for (let n = 0; n < 2; n++)
      expect(await send('hide', { reason: 'No service', refund: true })).toMatchObject({
        status: 200,
        body: { refunded: true },
      });
    expect((await send('hide', { reason: 'Another reason', refund: true })).status).toBe(409);
    const back = { 'idempotency-key': randomUUID() };
    for (let n = 0; n < 2; n++)
      expect(await send('unhide', {}, back)).toMatchObject({ status: 200, body: { reference } });
    await report('one');
    const resolved = { 'idempotency-key': randomUUID() };
    for (let n = 0; n < 2; n++)
      expect(await send('resolve', { resolution: 'A real plumber' }, resolved)).toMatchObject({
        body: { resolved: 1 },
      });
    expect(await balanceOf(market, owner)).toBe(10);
  });

  test('is undone as it was', async () => {
    await hide();
    await unhidePost(await market.ctx(admin), reference);
    expect((await feed(await market.ctx(), {})).posts).toHaveLength(1);
    await expect(unhidePost(await market.ctx(admin), reference)).rejects.toEqual(
      refusal('conflict'),
    );
  });

  test('is an admin’s, as are the lists', async () => {
    const ctx = await market.ctx(owner);
    await expect(hidePost(ctx, reference, { reason: 'Mine', refund: true })).rejects.toEqual(
      refusal('forbidden'),
    );
    await expect(unhidePost(ctx, reference)).rejects.toEqual(refusal('forbidden'));
    await expect(resolvePostReports(ctx, reference, 'Mine')).rejects.toEqual(refusal('forbidden'));
    await expect(adminPosts(ctx, { show: 'active' })).rejects.toEqual(refusal('forbidden'));
    await expect(reportsOfPost(ctx, reference)).rejects.toEqual(refusal('forbidden'));
  });
});

describe('reports of posts', () => {
  test('are limited by address, whoever sends them, and hide nothing by their number', async () => {
    for (let n = 0; n < 60; n++) await report(`visitor ${n}`, 'fraud', 'one address');
    await expect(report('another', 'fraud', 'one address')).rejects.toEqual(
      refusal('tooManyRequests'),
    );
    await report('elsewhere');
    expect((await feed(await market.ctx(), {})).posts).toHaveLength(1);
  });

  test('that came after what an admin has read stay open', async () => {
    await report('one');
    const [shown] = (await adminPosts(await market.ctx(admin), { show: 'reported' })).posts;
    market.clock.advance({ seconds: 1 });
    await report('two');
    expect(
      await resolvePostReports(
        await market.ctx(admin),
        reference,
        'A real plumber',
        shown?.latestReportAt ?? '',
      ),
    ).toEqual({ resolved: 1 });
    expect((await adminPosts(await market.ctx(admin), { show: 'reported' })).posts).toMatchObject([
      { openReports: 1, refunded: false },
    ]);
    const late = await refused(
      resolvePostReports(
        await market.ctx(admin),
        reference,
        'A real plumber',
        shown?.latestReportAt ?? '',
      ),
      'conflict',
    );
    expect(late.params.what).toBe('These reports have been closed in the meantime.');
    await hide(true);
    expect((await adminPosts(await market.ctx(admin), { show: 'hidden' })).posts).toMatchObject([
      { openReports: 0, latestReportAt: null, refunded: true },
    ]);
  });

  test('are kept once a visitor and reason, listed, and closed with the post or without', async () => {
    await report('one');
    await report('two');
    await report('two', 'other');
    await expect(report('two')).rejects.toEqual(refusal('connect.alreadyReported'));
    const listed = async (show: 'reported' | 'hidden' | 'active' | 'closed') =>
      (await adminPosts(await market.ctx(admin), { show })).posts;
    expect(await listed('reported')).toMatchObject([
      { reference, openReports: 3, owner: owner.name },
    ]);
    expect((await reportsOfPost(await market.ctx(admin), reference)).reports).toHaveLength(3);
    expect(await resolvePostReports(await market.ctx(admin), reference, 'A real plumber')).toEqual({
      resolved: 3,
    });
    expect(await listed('reported')).toEqual([]);
    await expect(resolvePostReports(await market.ctx(admin), reference, 'Again')).rejects.toEqual(
      refusal('conflict'),
    );
    expect((await reportsOfPost(await market.ctx(admin), reference)).reports[0]).toMatchObject({
      resolvedBy: admin.name,
      resolution: 'A real plumber',
    });
    await report('three');
    await hide();
    expect(await listed('reported')).toEqual([]);
    expect(await listed('hidden')).toHaveLength(1);
    await expect(report('four')).rejects.toEqual(refusal('connect.notFound'));
  });
});
