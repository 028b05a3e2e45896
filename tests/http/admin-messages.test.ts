import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { edit } from '../../api/products/edit.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { actors, signInAdmin, suspend, unsuspend } from '../support/actors.ts';
import { type RequestOptions, testApp } from '../support/app.ts';
import {
  approved,
  draft,
  live,
  productRow,
  runQueue,
  submitted,
  uploadPhoto,
} from '../support/products.ts';
import { plain } from '../support/text.ts';

/**
 * Two admins act on one thing: the second gets a message about what the first did, or what happened
 * by itself (product §8).
 */
const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const second = await signInAdmin(market, { name: 'Second Admin' });
beforeEach(() => market.reset());

type Act = [path: string, json?: unknown, method?: string];
const send = ([path, json, method = 'POST']: Act, options: RequestOptions) =>
  market.call(`/api/admin/${path}`, {
    method,
    ...(json === undefined ? {} : { json }),
    ...options,
  });

/** One admin acts, then the other on the old state; returns the message the other gets. */
async function late(first: Act, then: Act, language: Language = 'en'): Promise<string> {
  const done = await send(first, { as: admin });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return said(then, language);
}
async function said(act: Act, language: Language = 'en'): Promise<string> {
  const { status, body } = await send(act, { as: second, language });
  expect(status, JSON.stringify(body)).toBe(409);
  return plain(body.error.message);
}

describe('whoever comes second reads what happened', () => {
  const approve = (id: string): Act => [`products/${id}/approve`];
  const reject = (id: string): Act => [`products/${id}/reject`, { reason: 'Dark photos' }];
  const pending = async () => (await submitted(market, seller)).id;

  test('to a pending product', async () => {
    const one = await pending();
    expect(await late(approve(one), reject(one))).toBe(
      'This product has been approved in the meantime. Your decision was not applied. The list has been refreshed.',
    );
    const two = await pending();
    expect(await late(reject(two), approve(two), 'fr')).toContain(
      'Ce produit a été refusé entre-temps.',
    );
    const three = await pending();
    await withdraw(await market.ctx(seller), three);
    expect(await said(approve(three))).toContain(
      'The seller has taken this product back in the meantime.',
    );
    const four = await pending();
    await market.db
      .update(schema.products)
      .set({ category: null })
      .where(eq(schema.products.id, four));
    const anyway: Act = [`integrity/${four}/approve`];
    expect(await late(anyway, anyway)).toContain('has been approved in the meantime');
  });

  test('to a change of a listed product', async () => {
    const { id } = await live(market, seller, admin);
    const {
      durationHours: _d,
      listingType: _l,
      paymentMethod: _p,
      ...changes
    } = draft({ images: [await uploadPhoto(market, seller)] });
    await edit(await market.ctx(seller), id, changes);
    expect(
      await late([`products/${id}/edit/approve`, {}], [`products/${id}/edit/reject`, {}]),
    ).toContain('This change has been decided in the meantime');
  });

  test('to a waiting product: assigned, moved, removed, withdrawn', async () => {
    const waiting = async () => (await approved(market, seller, admin)).id;
    const [one, two, three] = [await waiting(), await waiting(), await waiting()];
    const assign = (id: string, slotId: number): Act => [`queue/${id}/assign`, { slotId }];
    expect(await late(assign(one, 20), assign(one, 21))).toContain('already in slot #20');
    expect(await said(assign(two, 20))).toContain('This slot was filled in the meantime.');
    expect(await said([`queue/${one}/move`, { direction: 'up' }])).toContain('already in slot #20');
    expect(await said([`queue/${one}/remove`])).toContain('already in slot #20');
    expect(
      await late(
        [`queue/${three}/move`, { direction: 'up', past: two }],
        [`queue/${three}/move`, { direction: 'up', past: two }],
      ),
    ).toContain('The queue has changed in the meantime');
    expect(await late([`queue/${two}/remove`], [`queue/${two}/remove`])).toContain(
      'This product has been removed in the meantime.',
    );
    expect(await said(assign(two, 22), 'fr')).toContain('Ce produit a été supprimé entre-temps.');
    expect(await said([`queue/${two}/move`, { direction: 'top' }])).toContain(
      'This product has been removed in the meantime.',
    );
    expect(await late([`queue/${two}/restore`], [`queue/${two}/restore`])).toContain(
      'somebody has restored it already',
    );
    await withdraw(await market.ctx(seller), three);
    expect(await said(assign(three, 23))).toContain(
      'The seller has taken this product back in the meantime.',
    );
  });

  test('to a slot: paused, resumed, emptied, put back, over', async () => {
    const slotOfMine = async () => {
      const { id, slotId, endTime } = await live(market, seller, admin);
      const act = (verb: string, more: object = {}): Act => [
        `slots/${slotId}/${verb}`,
        { productId: id, ...more },
      ];
      return { act, endTime };
    };
    const one = await slotOfMine();
    expect(await late(one.act('pause'), one.act('pause'))).toContain(
      'This slot is already paused.',
    );
    expect(await late(one.act('resume'), one.act('resume'))).toContain('This slot is not paused');
    expect(await late(one.act('remove'), one.act('pause'))).toBe(
      'This listing has been taken out of its slot and ended in the meantime. Nothing was changed.',
    );
    const two = await slotOfMine();
    expect(await late(two.act('remove', { requeue: true }), two.act('remove'))).toContain(
      'put back into its queue in the meantime',
    );
    await runQueue(market);
    const three = await slotOfMine();
    market.clock.set(three.endTime);
    await runQueue(market);
    expect(await said(three.act('pause'), 'fr')).toContain('Cette annonce est arrivée à son terme');
  });

  test('to a slot that is edited by both', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const act = (price: number, seen: string): Act => [
      `slots/${slotId}`,
      { productId: id, durationHours: 24, price, seen },
      'PUT',
    ];
    const seen = (await productRow(market, id)).updatedAt.toISOString();
    market.clock.advance({ minutes: 1 });
    expect(await late(act(1000, seen), act(2000, seen))).toContain(
      'This product was changed in the meantime.',
    );
  });

  test('to a seller, a report and a fee', async () => {
    const path = (act: string): Act => [
      `sellers/${otherSeller.sellerId}/${act}`,
      act === 'suspend' ? { reason: 'x' } : undefined,
    ];
    expect(await late(path('suspend'), path('suspend'))).toContain(
      'This seller has been suspended in the meantime.',
    );
    expect(await late(path('unsuspend'), path('unsuspend'), 'fr')).toContain(
      'La suspension de ce vendeur a été levée entre-temps.',
    );
    const verify: Act = [
      `sellers/${otherSeller.sellerId}/verify`,
      { number: otherSeller.whatsapp },
    ];
    expect(await late(verify, verify)).toContain('This number has been verified in the meantime.');
    expect(await late(path('unverify'), path('unverify'))).toContain(
      'This seller is not verified any more.',
    );
    const { id } = await live(market, seller, admin);
    await market.call(`/api/products/${id}/report`, { json: { reason: 'fraud' }, as: otherSeller });
    expect(
      await late(
        [`reports/${id}/resolve`, { resolution: 'x' }],
        [`reports/${id}/resolve`, { resolution: 'x' }],
      ),
    ).toContain('have been closed in the meantime');
    const { listing } = await productRow(market, id);
    const mark = (state: string): Act => [
      `fees/${listing?.id}`,
      { state, seen: { state: 'due', reference: listing?.feeReference } },
      'PUT',
    ];
    expect(await late(mark('paid'), mark('waived'))).toContain(
      'This fee has been marked as paid in the meantime.',
    );
  });
});

test('an act that a suspension stops says that to the admin, and not what a seller is told', async () => {
  const { id } = await approved(market, otherSeller, admin);
  const other = await submitted(market, otherSeller);
  await suspend(market, otherSeller);
  try {
    for (const act of [
      [`queue/${id}/assign`, { slotId: 30 }],
      [`products/${other.id}/approve`],
    ] as Act[])
      expect(await said(act)).toBe(
        'This seller is suspended, so nothing was changed. Lift the suspension first.',
      );
  } finally {
    await unsuspend(market, otherSeller);
  }
});

describe('a cleanup with the storage away', () => {
  const run = (language: Language) =>
    market.call('/api/admin/cleanup', { method: 'POST', as: admin, language });
  async function due(): Promise<void> {
    await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    market.clock.advance({ days: 30 });
  }

  test('says that nothing was done, and what is still due', async () => {
    await due();
    market.storage.failAfter(0);
    const { status, body } = await run('fr');
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'upkeep.storageAway' });
    expect(plain(body.error.message)).toContain(
      'rien n’a été supprimé. Restent à traiter : 0 produit et 1 image.',
    );
  });

  test('that breaks off in the middle says what was done and what is left', async () => {
    await due();
    const { storage } = market.services;
    let deletions = 0;
    market.services.storage = {
      ...storage,
      async delete(keys) {
        // The share cards are deleted; the photo is not.
        if (++deletions > 1) throw new Error('the network is gone');
        await storage.delete(keys);
      },
    };
    try {
      const { status, body } = await run('en');
      expect({ status, code: body.error.code }).toEqual({
        status: 503,
        code: 'upkeep.interrupted',
      });
      expect(body.error.message).toContain('0 products and 0 images removed. Left: 1 image');
    } finally {
      market.services.storage = storage;
    }
    expect(
      await market.db
        .select()
        .from(schema.auditLog)
        .where(eq(schema.auditLog.action, 'cleanup.run')),
    ).toMatchObject([{ after: { left_images: 1 } }]);
  });
});
