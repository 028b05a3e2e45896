import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { notifySeller } from '../../../api/sellers/notify.ts';
import { notificationState } from '../../../api/sellers/reads.ts';
import { notification } from '../../../api/sellers/schema.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { refused } from '../../support/refusals.ts';
import { idOf, sellerActions } from '../../support/sellers.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const { outbox } = schema;
const { ofAdmin, verify, clear } = sellerActions(market, { admin });
beforeEach(async () => {
  await market.reset();
  await clear();
});

describe('a notification (product R25)', () => {
  const words = { subject: 'Your photos', message: 'Please send <b>brighter</b> {{name}} ones.' };

  test('answers its id, waits in the outbox, and is sent when the mail server has taken it', async () => {
    const sent = await market.call<{ id: string }>(
      `/api/admin/sellers/${idOf(otherSeller)}/notify`,
      { json: words, as: admin },
    );
    expect(sent.status).toBe(202);
    const state = async () =>
      (await market.call(`/api/admin/notifications/${sent.body.id}`, { as: admin })).body;
    expect(await state()).toMatchObject({
      id: sent.body.id,
      state: 'waiting',
      attempts: 0,
      sentAt: null,
    });
    market.mails.refuse('450 mailbox busy');
    await market.mails.deliver();
    expect(await state()).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: '450 mailbox busy',
    });
    market.mails.refuse();
    market.clock.advance({ minutes: 1 });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(await state()).toMatchObject({
      state: 'sent',
      channel: 'email',
      sentAt: market.clock.now().toISOString(),
    });
    expect(mail.subject).toBe('Your photos');
    expect(mail.text).toContain('Please send bbrighter/b {{name}} ones.');
    expect(plain(mail.text)).toContain('Bonjour');
    expect(await auditLines(market)).toMatchObject([
      {
        action: 'seller.notify',
        subjectId: idOf(otherSeller),
        after: { subject: 'Your photos', outboxId: sent.body.id },
      },
    ]);
    expect(await market.db.select().from(outbox)).toMatchObject([
      { kind: 'sellerNotification', userId: otherSeller.userId },
    ]);
  });

  test('has a subject of one line', () => {
    expect(notification.parse({ subject: 'a\r\nBcc: x@y.test', message: 'm' }).subject).toBe(
      'a Bcc: x@y.test',
    );
  });

  for (const [field, body] of [
    ['subject', { subject: ' ', message: 'x' }],
    ['message', { subject: 'x', message: '' }],
    ['message', { subject: 'x' }],
    ['subject', { subject: 'x'.repeat(151), message: 'x' }],
    ['message', { subject: 'x', message: 'x'.repeat(2001) }],
    ['to', { subject: 'x', message: 'x', to: 'a@b.test' }],
  ] as const) {
    test(`refuses a wrong ${field}: ${JSON.stringify(body).slice(0, 30)}`, async () => {
      const answer = await market.call(`/api/admin/sellers/${idOf(seller)}/notify`, {
        json: body,
        as: admin,
      });
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: field }] } } });
      expect(await market.db.select().from(outbox)).toEqual([]);
    });
  }

  test('refuses an unknown seller, and no other mail’s state is told', async () => {
    await refused(notifySeller(await ofAdmin(), randomUUID(), words), 'sellers.notFound');
    await refused(notificationState(await ofAdmin(), randomUUID()), 'notFound');
    await verify(seller);
    const [other] = await market.db.select().from(outbox);
    await refused(notificationState(await ofAdmin(), other?.id ?? ''), 'notFound');
  });
});
