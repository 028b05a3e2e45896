import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import { type SettingName, settingNames, settingSchemas } from '../../../api/settings/schema.ts';
import { readSettings, writeSetting } from '../../../api/settings/values.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp();
const { admin } = await actors(market);
beforeEach(() => market.reset());
const read = () => readSettings(market.job('x'), settingNames);

describe('the settings (product R32)', () => {
  test('have a value before anybody sets one', async () => {
    expect(await read()).toMatchObject({
      contactNumber: '',
      contactEmail: '',
      contactPerHour: 10,
      contactPerDay: 30,
      contactPerAddressPerHour: 600,
      contactNewcomersFree: 20,
      contactNewcomersPerHour: 120,
      contactTurnSeconds: 60,
      contactQuestionSeconds: 5,
      contactHarvestProducts: 25,
      statsMeasured: false,
      trackFees: true,
      payees: {
        mtn_momo: { number: '', payee: '' },
        orange_money: { number: '', payee: '' },
        cash: { number: '', payee: '' },
      },
      creditsOnJoining: 0,
      weeklyPurchaseLimitUsd: 20,
    });
  });

  test('hold from the next read, and name who set them', async () => {
    await writeSetting(await market.ctx(admin), 'contactPerHour', 3);
    expect((await read()).contactPerHour).toBe(3);
    expect(await market.db.select().from(schema.settings)).toMatchObject([
      { key: 'contactPerHour', value: 3, updatedBy: admin.userId, updatedAt: market.clock.now() },
    ]);
  });

  test('leave an audit line with before and after', async () => {
    const ctx = await market.ctx(admin);
    await inTransaction(ctx, async (tx) => {
      await writeSetting(tx, 'contactNumber', '+237699000111');
      await writeSetting(tx, 'trackFees', false);
      await writeSetting(tx, 'trackFees', true);
    });
    expect(
      await market.db.select().from(schema.auditLog).orderBy(schema.auditLog.id),
    ).toMatchObject([
      { action: 'settings.write', subjectKind: 'settings', subjectId: 'contactNumber' },
      { subjectId: 'trackFees', before: null, after: false },
      { subjectId: 'trackFees', before: false, after: true },
    ]);
  });

  test('fall back to the first value when what is stored fits no more', async () => {
    await market.db.insert(schema.settings).values([
      { key: 'contactPerHour', value: 'many' },
      { key: 'contactPerDay', value: -5 },
      { key: 'payees', value: { mtn_momo: 'x' } },
      { key: 'forgotten', value: 1 },
    ]);
    expect(await read()).toMatchObject({
      contactPerHour: 10,
      contactPerDay: 30,
      payees: { cash: { number: '', payee: '' } },
    });
  });

  test('have a first value that their own schema accepts', () => {
    for (const name of settingNames)
      expect(
        settingSchemas[name].schema.safeParse(settingSchemas[name].initial).success,
        name,
      ).toBe(true);
  });

  test('refuse what makes no sense', () => {
    const bad: [SettingName, unknown][] = [
      ['contactNumber', '69900123'],
      ['contactEmail', 'the team'],
      ['contactEmail', 'team@market.test?cc=all@market.test'],
      ['contactEmail', `${'x'.repeat(250)}@a.cm`],
      ['contactPerHour', 0],
      ['contactTurnSeconds', 0],
      ['contactTurnSeconds', 3601],
      ['contactPerHour', 1.5],
      ['contactPerDay', '30'],
      ['statsMeasured', 'yes'],
      ['payees', { mtn_momo: { number: '', payee: '' } }],
      ['creditsOnJoining', -1],
      ['weeklyPurchaseLimitUsd', Number.NaN],
    ];
    for (const [name, value] of bad)
      expect(settingSchemas[name].schema.safeParse(value).success, `${name} = ${value}`).toBe(
        false,
      );
  });
});
