import { beforeEach, expect, test } from 'vitest';
import { accountActions } from '../support/account.ts';
import { signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { tokenIn } from '../support/mail.ts';

/**
 * A copy of the database, outbox included, contains no link that opens an account (decision 006).
 */
const market = await testApp();
const { everything } = accountActions(market);
beforeEach(() => market.reset({ accounts: true }));
const post = (path: string, json: object) => market.call(`/api/auth/${path}`, { json });
const newPassword = 'a password of somebody else';
const member = {
  email: 'new@example.test',
  password: 'a good password',
  name: 'Somebody New',
  selling: false,
  agreed: '0',
};

test.each([
  ['forgot-password', 'reset-password', { password: newPassword }],
  ['sign-in-link', 'sign-in-link/use', {}],
  ['sign-up', 'verify-email', { newPassword }],
])('a link of %s is in its mail alone, and works once', async (ask, use, given) => {
  const { email } = ask === 'sign-up' ? member : await signUpSeller(market);
  await post(ask, ask === 'sign-up' ? member : { email });
  const waiting = await everything();
  const token = tokenIn(await market.mails.lastTo(email));
  const sent = await everything();
  expect(`${waiting}\n${sent}`.split('\n').filter((row) => row.includes(token))).toEqual([]);
  expect((await post(use, { token, ...given })).status).toBe(200);
  expect((await post(use, { token, ...given })).status).toBe(410);
});

test('what stands in the database in place of a link is none', async () => {
  const { email, password } = await signUpSeller(market);
  await post('forgot-password', { email });
  const rows = await market.sql<
    { text: string }[]
  >`select identifier as text from verification union all select body_text from outbox`;
  const words = new Set(
    rows
      .flatMap(({ text }) => [text.slice(text.indexOf(':') + 1), ...text.split(/[^\w.-]+/)])
      .filter((word) => word.length > 20),
  );
  expect(words.size).toBeGreaterThan(2);
  for (const token of words)
    expect([
      token,
      (await post('reset-password', { token, password: newPassword })).status,
    ]).not.toContain(200);
  expect((await post('sign-in', { email, password })).status).toBe(200);
});
