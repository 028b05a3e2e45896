import { beforeEach, expect, test } from 'vitest';
import { closeRequest } from '../../../api/legal/closeRequest.ts';
import { dataRequests, requestsDue } from '../../../api/legal/reads.ts';
import { recordRequest } from '../../../api/legal/recordRequest.ts';
import { type NewRequest, newRequest } from '../../../api/legal/schema.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const ofAdmin = () => market.ctx(admin);
const request = (changes: Partial<NewRequest> = {}): NewRequest => ({
  kind: 'delete',
  person: 'Mme Abena, BP 7, Yaoundé',
  received: '2026-11-20',
  note: '',
  ...changes,
});

test('a request has thirty days from the day it came, and the newest ones come last', async () => {
  const ctx = await ofAdmin();
  await recordRequest(ctx, request({ received: '2026-11-22' }));
  const { id } = await recordRequest(ctx, request({ kind: 'see' }));
  const { requests } = await dataRequests(ctx);
  expect(requests.map(({ kind }) => kind)).toEqual(['see', 'delete']);
  expect(requests[0]).toMatchObject({
    id,
    receivedAt: '2026-11-19T23:00:00.000Z',
    dueAt: '2026-12-19T23:00:00.000Z',
    closedAt: null,
  });
  // The audit log is kept for good, so it omits the person's words.
  expect(JSON.stringify(await auditLines(market, 'dataRequest.record'))).not.toContain('Abena');
});

test('is due a week before its end, until it is closed, once', async () => {
  const ctx = await ofAdmin();
  const { id } = await recordRequest(ctx, request());
  expect(await requestsDue(ctx)).toBe(0);
  market.clock.set(new Date('2026-12-12T22:59:59Z'));
  expect(await requestsDue(await ofAdmin())).toBe(0);
  market.clock.set(new Date('2026-12-12T23:00:00Z'));
  expect(await requestsDue(await ofAdmin())).toBe(1);
  await closeRequest(await ofAdmin(), id, 'Deleted, and told by letter.');
  expect(await requestsDue(await ofAdmin())).toBe(0);
  await refused(closeRequest(await ofAdmin(), id, 'Twice'), 'conflict');
  await refused(closeRequest(await ofAdmin(), 999, 'Nobody’s'), 'conflict');
  const { requests } = await dataRequests(await ofAdmin());
  expect(requests[0]).toMatchObject({ outcome: 'Deleted, and told by letter.' });
});

test('is recorded by admins alone, for a day of the last year, with a name', async () => {
  await refused(recordRequest(await market.ctx(seller), request()), 'forbidden');
  await refused(dataRequests(await market.ctx(seller)), 'forbidden');
  await refused(closeRequest(await market.ctx(seller), 1, 'x'), 'forbidden');
  await refused(recordRequest(await ofAdmin(), request({ received: '2026-11-24' })), 'validation');
  for (const received of ['2025-11-22', '0001-01-01'])
    await refused(recordRequest(await ofAdmin(), request({ received })), 'validation');
  for (const received of ['2026-11-23', '2025-11-23'])
    await recordRequest(await ofAdmin(), request({ received }));
  const wrong = (changes: object) =>
    newRequest.safeParse({ ...request(), ...changes }).error?.issues[0]?.path;
  expect(wrong({ person: '  ' })).toEqual(['person']);
  expect(wrong({ received: '2026-02-30' })).toEqual(['received']);
  expect(wrong({ kind: 'other' })).toEqual(['kind']);
  expect(wrong({ note: 'x'.repeat(2001) })).toEqual(['note']);
});
