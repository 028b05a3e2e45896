import { beforeEach, describe, expect, test } from 'vitest';
import { auditEntries } from '../../../api/audit/reads.ts';
import { allSettings } from '../../../api/settings/reads.ts';
import { saveSetting } from '../../../api/settings/saveSetting.ts';
import { settingNames, settingSchemas } from '../../../api/settings/schema.ts';
import { readSettings } from '../../../api/settings/values.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { member, seller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const ofAdmin = () => market.ctx(admin);
const put = (name: string, body: unknown, language: 'en' | 'fr' = 'en') =>
  market.call(`/api/admin/settings/${name}`, { method: 'PUT', json: body, as: admin, language });
const lines = () => market.db.select().from(schema.auditLog).orderBy(schema.auditLog.id);

describe('the settings page', () => {
  test('shows every setting with its initial value before anything is set', async () => {
    const { body } = await market.call<{ settings: Awaited<ReturnType<typeof allSettings>> }>(
      '/api/admin/settings',
      { as: admin },
    );
    expect(body.settings.map((setting) => setting.name)).toEqual([...settingNames]);
    for (const { name, value, initial, isSet, updatedAt } of body.settings) {
      expect({ value, isSet, updatedAt }, name).toEqual({
        value: settingSchemas[name].initial,
        isSet: false,
        updatedAt: null,
      });
      expect(initial).toEqual(settingSchemas[name].initial);
    }
  });

  test('sets one, which holds at once, and says who and when', async () => {
    expect(await put('contactPerHour', { value: 3 })).toMatchObject({
      status: 200,
      body: { name: 'contactPerHour', value: 3 },
    });
    expect(await readSettings(market.job('x'), ['contactPerHour'])).toEqual({ contactPerHour: 3 });
    const shown = (await allSettings(await ofAdmin())).find(
      (setting) => setting.name === 'contactPerHour',
    );
    expect(shown).toEqual({
      name: 'contactPerHour',
      value: 3,
      initial: 10,
      isSet: true,
      updatedAt: market.clock.now().toISOString(),
      updatedBy: 'Admin',
    });
    expect(await lines()).toMatchObject([
      {
        action: 'settings.write',
        subjectId: 'contactPerHour',
        actorId: admin.userId,
        before: null,
        after: 3,
      },
    ]);
  });

  test('counts a stored value that fits no more as not set', async () => {
    await market.db.insert(schema.settings).values({ key: 'contactPerDay', value: 'many' });
    expect(
      (await allSettings(await ofAdmin())).find((setting) => setting.name === 'contactPerDay'),
    ).toMatchObject({ value: 30, isSet: false });
  });

  for (const [name, value, path] of [
    ['contactNumber', '69900123', 'value'],
    ['contactPerHour', 0, 'value'],
    ['contactPerHour', '3', 'value'],
    ['contactPerHour', 2.5, 'value'],
    ['contactPerHour', undefined, 'value'],
    ['statsMeasured', 'yes', 'value'],
    ['trackFees', null, 'value'],
    ['weeklyPurchaseLimitUsd', -1, 'value'],
    ['payees', { mtn_momo: { number: '1', payee: 'a' } }, 'value.orange_money'],
    [
      'payees',
      { ...settingSchemas.payees.initial, bitcoin: { number: '', payee: '' } },
      'value.bitcoin',
    ],
    [
      'payees',
      { ...settingSchemas.payees.initial, cash: { number: 'x'.repeat(41), payee: '' } },
      'value.cash.number',
    ],
  ] as const) {
    test(`refuses ${name} = ${JSON.stringify(value)?.slice(0, 40)} and names the field`, async () => {
      const { status, body } = await put(name, { value }, 'fr');
      expect(status).toBe(400);
      expect(body.error.code).toBe('validation');
      expect(body.error.fields?.map((field) => field.path)).toContain(path);
      expect(await market.db.select().from(schema.settings)).toEqual([]);
      expect(await lines()).toEqual([]);
    });
  }

  test('refuses a setting that there is not, and a body with more', async () => {
    expect((await put('isAdmin', { value: true })).status).toBe(400);
    expect((await put('__proto__', { value: true })).status).toBe(400);
    expect((await put('contactPerHour', { value: 3, by: 'me' })).status).toBe(400);
  });

  test('by two admins at once: both are kept, and each audit line names what it replaced', async () => {
    const contexts = [
      await ofAdmin(),
      await market.ctx(admin, { db: market.database.another({ max: 2 }).db }),
    ];
    expect(
      await outcomes(contexts.map((ctx, n) => saveSetting(ctx, 'contactPerDay', 40 + n))),
    ).toEqual(['kept', 'kept']);
    const [first, second] = await lines();
    expect(first?.before).toBeNull();
    expect(second?.before).toBe(first?.after);
    expect((await readSettings(market.job('x'), ['contactPerDay'])).contactPerDay).toBe(
      second?.after,
    );
  });
});

describe('the audit log', () => {
  const write = (at: string, entry: Partial<typeof schema.auditLog.$inferInsert> = {}) =>
    market.db.insert(schema.auditLog).values({
      at: new Date(at),
      actorKind: 'admin',
      actorId: 'u1',
      actorName: 'Admin',
      action: 'seller.suspend',
      subjectKind: 'seller',
      subjectId: 's1',
      requestId: 'r',
      ...entry,
    });
  const find = async (query: string) =>
    (
      await market.call<{ total: number; entries: { id: number; action: string; at: string }[] }>(
        `/api/admin/audit?${query}`,
        { as: admin },
      )
    ).body;

  test('is shown newest first, a page at a time', async () => {
    await market.sql`insert into audit_log (at, actor_kind, action, subject_kind, request_id)
      select '2026-01-01'::timestamptz + (n / 2) * interval '1 minute', 'job', 'x' || n, 'job', 'r' from generate_series(1, 10000) n`;
    const first = await find('');
    const second = await find('page=2');
    const last = await find('page=200');
    expect(first.total).toBe(10_000);
    expect([first.entries.length, second.entries.length, last.entries.length]).toEqual([
      50, 50, 50,
    ]);
    expect(first.entries.map((entry) => entry.action)).toEqual(
      Array.from({ length: 50 }, (_, n) => `x${10_000 - n}`),
    );
    expect(second.entries[0]?.action).toBe('x9950');
    expect(last.entries.at(-1)?.action).toBe('x1');
    expect((await find('page=201')).entries).toEqual([]);
  });

  test('is filtered by actor, action and subject', async () => {
    await write('2026-11-20T10:00:00Z');
    await write('2026-11-20T11:00:00Z', {
      actorId: 'u2',
      actorName: 'Ngo_Bé',
      action: 'settings.write',
      subjectKind: 'settings',
      subjectId: 'trackFees',
    });
    await write('2026-11-20T12:00:00Z', {
      actorKind: 'job',
      actorId: null,
      actorName: null,
      action: 'queue.process',
      subjectKind: 'queue',
      subjectId: null,
    });
    const actions = async (query: string) =>
      (await find(query)).entries.map((entry) => entry.action);
    expect(await actions('actor=u1')).toEqual(['seller.suspend']);
    expect(await actions(`actor=${encodeURIComponent('go_b')}`)).toEqual(['settings.write']);
    expect(await actions(`actor=${encodeURIComponent('%')}`)).toEqual([]);
    expect(await actions('action=queue.process')).toEqual(['queue.process']);
    expect(await actions('action=queue')).toEqual([]);
    expect(await actions('subjectKind=settings&subjectId=trackFees')).toEqual(['settings.write']);
    expect(await actions('subjectKind=seller&subjectId=s2')).toEqual([]);
    expect(await actions('subjectId=&actor=')).toHaveLength(3);
  });

  test('takes days by the calendar of Douala, both included', async () => {
    await write('2026-11-19T22:59:59Z', { action: 'a' });
    await write('2026-11-19T23:00:00Z', { action: 'b' });
    await write('2026-11-20T22:59:59.999Z', { action: 'c' });
    await write('2026-11-20T23:00:00Z', { action: 'd' });
    const actions = async (query: string) =>
      (await find(query)).entries.map((entry) => entry.action);
    expect(await actions('from=2026-11-20&to=2026-11-20')).toEqual(['c', 'b']);
    expect(await actions('from=2026-11-20')).toEqual(['d', 'c', 'b']);
    expect(await actions('to=2026-11-20')).toEqual(['c', 'b', 'a']);
    expect(await actions('from=2026-11-21&to=2026-11-20')).toEqual([]);
  });

  for (const query of [
    'from=yesterday',
    'to=2026-02-30',
    'page=0',
    'subjectKind=planet',
    'limit=1000',
    `actor=${'x'.repeat(201)}`,
  ]) {
    test(`refuses ${query.slice(0, 30)}`, async () => {
      expect((await market.call(`/api/admin/audit?${query}`, { as: admin })).status).toBe(400);
    });
  }
});

describe('settings and log are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(who, async () => {
      const ctx = await market.ctx(person);
      await refused(allSettings(ctx), code);
      await refused(saveSetting(ctx, 'trackFees', false), code);
      await refused(auditEntries(ctx), code);
      expect(await market.db.select().from(schema.settings)).toEqual([]);
    });
  }
});
