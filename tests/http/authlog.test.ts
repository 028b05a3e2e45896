import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAuth } from '../../api/auth/auth.ts';
import { signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';

const market = await testApp();
beforeEach(() => market.reset({ accounts: true }));
const methods = ['debug', 'log', 'info', 'warn', 'error'] as const;
const console_ = methods.map((method) => vi.spyOn(console, method));
afterEach(() => {
  for (const spy of console_) expect(spy).not.toHaveBeenCalled();
});
const entries = () => market.logged.filter(({ message }) => message.startsWith('better-auth: '));

test('what better-auth has to say is in the log, at its level, without address and token', async () => {
  const person = await signUpMember(market);
  const fail = async (to: { email: string }, token: string) => {
    throw new Error(
      `The letter to ${to.email} with http://market.test/en/reset-password?token=${token} was not written`,
    );
  };
  const mails = { verification: fail, reset: fail };
  const auth = createAuth({
    db: market.db,
    secret: market.services.secret,
    baseURL: market.env.publicUrl,
    mails,
    log: market.services.log,
    now: market.clock.now,
  });
  market.logged.length = 0;
  await auth.api.requestPasswordReset({ body: { email: person.email } });
  await expect.poll(() => entries().map(({ level }) => level)).toContain('error');
  await auth.api
    .signInEmail({ body: { email: person.email, password: 'a wrong password' } })
    .catch(() => {});
  await auth.api
    .signUpEmail({ body: { email: person.email, password: 'another password', name: 'x' } })
    .catch(() => {});
  const text = JSON.stringify(entries());
  expect(text).toContain('was not written');
  for (const secret of [person.email, 'a wrong password', 'another password'])
    expect(text).not.toContain(secret);
  expect(text).toMatch(/token=\[redacted\]/);
  expect(entries().length).toBeGreaterThan(1);
});

test('a database that refuses what better-auth writes leaves nothing of it in the log', async () => {
  const person = await signUpMember(market);
  market.logged.length = 0;
  await market.sql`alter table verification rename to verification_away`;
  try {
    const answer = await market.request('/api/auth/forgot-password', {
      json: { email: person.email },
    });
    expect(answer.status).toBe(500);
  } finally {
    await market.sql`alter table verification_away rename to verification`;
  }
  const text = JSON.stringify(market.logged);
  expect(market.logged.some(({ level }) => level === 'error')).toBe(true);
  expect(text).not.toContain(person.email);
  expect(text).not.toContain(person.userId);
  expect(text).not.toMatch(/reset-password:(?!\[redacted\])/);
});
