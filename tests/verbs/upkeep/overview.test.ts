import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { backupName } from '../../../api/backup/names.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { publishTexts } from '../../../api/legal/publish.ts';
import { saveSetting } from '../../../api/settings/saveSetting.ts';
import { sendTestMessage } from '../../../api/settings/testMessages.ts';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { missingYet, neededFirst } from '../../../api/upkeep/missing.ts';
import { dashboard } from '../../../api/upkeep/reads.ts';
import { badgeNames } from '../../../api/upkeep/rules.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { textOf } from '../../support/repository.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { engagementEvents } = schema;

type Dashboard = Awaited<ReturnType<typeof dashboard>>;

const asJob = () => market.job('check-health');
describe('the overview (product §2)', () => {
  const overview = async () =>
    (await market.call<Dashboard>('/api/admin/dashboard', { as: admin })).body;

  test('of an empty market counts nothing, and says that nothing was checked', async () => {
    const { stats, recent, health } = await overview();
    expect(stats).toEqual({
      totalSlots: slotCount,
      activeProducts: 0,
      featuredProducts: 0,
      featuredTotal: premiumCount,
      queueSize: 0,
      pendingReviews: 0,
    });
    expect(recent).toEqual([]);
    expect(health.badges.map(({ name, status }) => ({ name, status }))).toEqual(
      badgeNames.map((name) => ({ name, status: null })),
    );
  });

  test('counts what is live, queued and pending, and shows the first five slots with views', async () => {
    const premium = await live(market, seller, admin, { listingType: 'featured' });
    const third = await live(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const sixth = await live(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 6,
    });
    await live(market, otherSeller, admin);
    await market.db.insert(engagementEvents).values({
      type: 'view',
      slotId: 3,
      productId: third.id,
      visitor: 'v',
      occurredAt: market.clock.now(),
    });
    await approved(market, seller, admin);
    await submitted(market, seller);
    expect([premium.slotId, third.slotId, sixth.slotId]).toEqual([1, 3, 6]);
    const { stats, recent } = await overview();
    expect(stats).toEqual({
      totalSlots: slotCount,
      activeProducts: 4,
      featuredProducts: 3,
      featuredTotal: premiumCount,
      queueSize: 1,
      pendingReviews: 1,
    });
    expect(recent).toMatchObject([
      { id: 1, name: 'Samsung Galaxy A14', sellerName: seller.name, views: 0 },
      { id: 3, views: 1 },
    ]);
    // A paused slot does not count as active (product R7).
    await market.call('/api/admin/slots/1/pause', { json: { productId: premium.id }, as: admin });
    expect(await overview()).toMatchObject({
      stats: { activeProducts: 3, featuredProducts: 2 },
      recent: [{ id: 3 }],
    });
  });

  test('wears the badges of the newest checks', async () => {
    market.storage.failAfter(0);
    await checkHealth(asJob());
    const { health } = await overview();
    expect(health.checkedAt).toBe(market.clock.now().toISOString());
    expect(health.badges).toMatchObject([
      { name: 'database', status: 'healthy' },
      { name: 'storage', status: 'error', message: 'Storage service unavailable' },
      { name: 'analytics', status: 'healthy' },
      { name: 'realtime', status: 'warning' },
    ]);
  });
});

describe('what is missing before people come', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-backups-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const missing = async (ctx?: Ctx) =>
    (await missingYet(ctx ?? (await market.ctx(admin)))).map(({ name }) => name);

  test('is all of a fresh start, in the demo nothing, and for admins alone', async () => {
    expect(await missing()).toEqual(Object.keys(neededFirst));
    const { body } = await market.call<Dashboard>('/api/admin/dashboard', { as: admin });
    expect(body.missing[0]).toEqual({
      name: 'keys',
      runbook: '/admin/runbook#secrets-which-may-be-changed',
    });
    const ctx = await market.ctx(admin);
    const env = { ...ctx.services.env, demo: true };
    expect(await missing({ ...ctx, services: { ...ctx.services, env } })).toEqual([]);
    await refused(dashboard(await market.ctx(seller)), 'forbidden');
  });

  test('goes line by line, each by its own check, and comes back when a backup is late', async () => {
    const ctx = await market.ctx(admin);
    const env = { ...ctx.services.env };
    const as = { ...ctx, services: { ...ctx.services, env } };
    const save = (name: Parameters<typeof saveSetting>[1], value: unknown) =>
      saveSetting(ctx, name, value);
    const backedUp = (hours: number) =>
      writeFile(
        join(folder, backupName(new Date(market.clock.now().getTime() - hours * 3_600_000))),
        'x',
      );
    const payees = { mtn_momo: { number: '', payee: '' }, orange_money: { number: '', payee: '' } };
    const text = { en: 'Rules', fr: 'Règles' };
    const left: string[] = Object.keys(neededFirst);
    const done = async (name: string) => {
      left.splice(left.indexOf(name), 1);
      expect(await missing(as)).toEqual(left);
    };
    Object.assign(env, { AUTH_SECRET: 'x'.repeat(32) });
    await done('keys');
    Object.assign(env, { MAIL_FROM: 'Marché <market@market.example>' });
    expect(await missing(as)).toEqual(left);
    await sendTestMessage(ctx, 'mail');
    await market.db.update(schema.outbox).set({ state: 'sent', sentAt: market.clock.now() });
    await done('mail');
    Object.assign(env, { BACKUP_DIR: folder });
    await backedUp(37);
    expect(await missing(as)).toEqual(left);
    await backedUp(35);
    await done('backup');
    await save('operatorName', 'Marché 54 SARL');
    await save('operatorAddress', 'BP 54, Douala');
    expect(await missing(as)).toEqual(left);
    await save('contactEmail', 'contact@market.example');
    await done('names');
    await publishTexts(ctx, { after: 0, terms: text, privacy: { en: '', fr: '' } });
    expect(await missing(as)).toEqual(left);
    await publishTexts(ctx, { after: 1, terms: text, privacy: text });
    await done('texts');
    await save('payees', { ...payees, cash: { number: '677000000', payee: 'Counter' } });
    expect(await missing(as)).toEqual(left);
    await save('paymentSenders', 'MobileMoney, OrangeMoney');
    await done('payment');
    market.clock.advance({ hours: 2 });
    expect(await missing(as)).toEqual(['backup']);
  });

  test('leads to sections that the runbook has', () => {
    const pages = ['install', 'trouble', 'backups'].map((page) =>
      textOf(`docs/runbook/${page}.md`),
    );
    const anchors = [...pages.join('\n').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    expect(Object.values(neededFirst).filter((one) => !anchors.includes(one))).toEqual([]);
  });
});
