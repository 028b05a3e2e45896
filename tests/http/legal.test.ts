import { beforeEach, expect, test } from 'vitest';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin } from '../support/actors.ts';
import { testApp } from '../support/app.ts';

const market = await testApp();
const admin = await signInAdmin(market);
beforeEach(() => market.reset());

test('who runs the market is said as the operator set it, and nothing where nothing is set', async () => {
  const operator = async () => (await market.request('/api/legal/operator')).json();
  expect(await operator()).toEqual({
    ...{ name: '', address: '', email: '', whatsapp: '', dataOfficer: '', paymentSenders: '' },
  });
  const ctx = await market.ctx(admin);
  await saveSetting(ctx, 'operatorName', ' Marché\n54 SARL ');
  await saveSetting(ctx, 'operatorAddress', 'BP 54, Douala');
  await saveSetting(ctx, 'dataOfficer', 'data@example.cm');
  expect(await operator()).toMatchObject({
    name: 'Marché 54 SARL',
    address: 'BP 54, Douala',
    dataOfficer: 'data@example.cm',
  });
});

test('a name of 300 letters is kept, a longer one refused', async () => {
  const save = (length: number) =>
    market.request('/api/admin/settings/operatorName', {
      method: 'PUT',
      as: admin,
      json: { value: 'M'.repeat(length) },
    });
  expect((await save(300)).status).toBe(200);
  const refused = await save(301);
  expect(refused.status).toBe(400);
  expect(await refused.text()).not.toContain('MMMM');
});

test('the texts of both languages have the same sections, and name every cookie’s purpose', () => {
  const { en, fr } = dictionaries;
  for (const about of ['privacy', 'terms'] as const)
    expect(Object.keys(fr.legal[about].sections)).toEqual(Object.keys(en.legal[about].sections));
  expect(en.legal.privacy.sections.cookies.p1).toMatch(
    /session.*language and theme.*random number/s,
  );
});
