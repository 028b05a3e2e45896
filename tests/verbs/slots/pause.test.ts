import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { homepageProducts } from '../../../api/slots/reads.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import { schema } from '../../../db/client.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, runQueue } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { slotActions } from '../../support/slots.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await unsuspend(market, seller);
});
const { products, slots } = schema;
const { ofAdmin, inHours, lastAudit, slotRow } = slotActions(market, { admin });

describe('a pause', () => {
  test('keeps the seconds left, pushes the end a hundred years ahead and hides the product', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 10, seconds: 30 });
    const left = 62 * 3600 - 30;
    expect(await pauseSlot(await ofAdmin(), slotId, id)).toEqual({
      slotId,
      remainingSeconds: left,
    });
    const slot = await slotRow(slotId);
    expect(slot).toMatchObject({
      active: true,
      productId: id,
      pausedAt: market.clock.now(),
      pausedBy: 'admin',
      remainingDuration: left,
    });
    expect(slot?.endTime?.getUTCFullYear()).toBe(2126);
    expect((await homepageProducts(await market.ctx()))[slotId - 1]).toMatchObject({
      slot_active: false,
      paused: true,
      product_name: null,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.pause',
      subjectId: String(slotId),
      after: { productId: id, remainingSeconds: left },
    });
    market.clock.advance({ days: 30 });
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
  });

  test('ends with a resume that gives exactly the time left', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 70 });
    await pauseSlot(await ofAdmin(), slotId, id);
    market.clock.advance({ days: 10 });
    expect(await resumeSlot(await ofAdmin(), slotId, id)).toEqual({
      slotId,
      endTime: inHours(2).toISOString(),
    });
    expect(await slotRow(slotId)).toMatchObject({
      endTime: inHours(2),
      pausedAt: null,
      pausedBy: null,
      remainingDuration: null,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.resume',
      before: { pausedBy: 'admin', remainingSeconds: 7200 },
      after: { endTime: inHours(2).toISOString() },
    });
  });

  test('without a stored remainder resumes for the product’s duration, then for a day', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 48 });
    const resumed = async () => {
      await pauseSlot(await ofAdmin(), slotId, id);
      await market.db.update(slots).set({ remainingDuration: null }).where(eq(slots.id, slotId));
      return resumeSlot(await ofAdmin(), slotId, id);
    };
    expect((await resumed()).endTime).toBe(inHours(48).toISOString());
    await market.db.update(products).set({ durationSeconds: null }).where(eq(products.id, id));
    expect((await resumed()).endTime).toBe(inHours(24).toISOString());
  });

  test('is refused twice, and of a slot whose time is up; a resume of what is not paused too', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin);
    await refused(resumeSlot(await ofAdmin(), slotId, id), 'slots.notPaused');
    await pauseSlot(await ofAdmin(), slotId, id);
    await refused(pauseSlot(await ofAdmin(), slotId, id), 'slots.paused');
    await resumeSlot(await ofAdmin(), slotId, id);
    market.clock.set(endTime);
    await refused(pauseSlot(await ofAdmin(), slotId, id), 'slots.expired');
    for (const verb of [pauseSlot, resumeSlot]) {
      await refused(verb(await ofAdmin(), 54, id), 'slots.empty');
      await refused(verb(await ofAdmin(), 0, id), 'slots.notFound');
      await refused(verb(await ofAdmin(), slotId, randomUUID()), 'slots.changed');
    }
  });

  test('is not lifted while the seller is suspended', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await pauseSlot(await ofAdmin(), slotId, id);
    await suspend(market, seller);
    await refused(resumeSlot(await ofAdmin(), slotId, id), 'sellers.isSuspended');
    await unsuspend(market, seller);
    await resumeSlot(await ofAdmin(), slotId, id);
  });
});
