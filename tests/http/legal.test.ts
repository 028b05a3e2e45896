import { beforeEach, expect, test } from 'vitest';
import { ownVersion } from '../../api/legal/version.ts';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpMember } from '../support/actors.ts';
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

test('an operator’s text of 200 KB is refused at its field; one that was published is shown', async () => {
  const none = { en: '', fr: '' };
  const publish = (terms: object) =>
    market.request('/api/admin/legal', {
      method: 'POST',
      as: admin,
      json: { after: 0, terms, privacy: none },
    });
  const refused = await publish({ en: 'é'.repeat(100_000), fr: 'x' });
  expect(refused.status).toBe(400);
  expect((await refused.json()).error.fields).toMatchObject([{ path: 'terms.en' }]);
  const { html } = await (
    await market.request('/api/admin/legal/preview', {
      method: 'POST',
      as: admin,
      json: { text: '**Rules**' },
    })
  ).json();
  expect(html).toContain('<strong>Rules</strong>');
  expect((await publish({ en: '# Our rules', fr: '# Nos règles' })).status).toBe(200);
  const shown = await market.request('/api/legal/terms', { language: 'fr' });
  expect(await shown.json()).toMatchObject({ html: '<h2>Nos règles</h2>\n' });
});

test('the form of a page agrees to the version that it showed, and no other', async () => {
  const member = await signUpMember(market);
  await market.db.update(schema.user).set({ agreedTo: '0' });
  const agree = async (version: string) => {
    const answer = await market.request('/agree', {
      method: 'POST',
      body: new URLSearchParams({ version, returnTo: '/fr/connect' }),
      as: member,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/fr/connect']);
    return (await (await market.request('/api/legal/agreement', { as: member })).json()).asks;
  };
  expect(await agree('0')).toBe(true);
  expect(await agree(ownVersion.id)).toBe(false);
});

test('the texts of both languages have the same sections, and name every cookie’s purpose', () => {
  const { en, fr } = dictionaries;
  for (const about of ['privacy', 'terms'] as const)
    expect(Object.keys(fr.legal[about].sections)).toEqual(Object.keys(en.legal[about].sections));
  expect(en.legal.privacy.sections.cookies.p1).toMatch(
    /session.*language and theme.*random number/s,
  );
});
