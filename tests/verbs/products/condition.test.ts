import { beforeEach, expect, test } from 'vitest';
import { emptyAnswers, toSubmission } from '../../../api/drafts/rules.ts';
import { edit } from '../../../api/products/edit.ts';
import { ownProduct } from '../../../api/products/form.ts';
import { pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { relist } from '../../../api/products/relist.ts';
import { decideEdit } from '../../../api/products/review/decideEdit.ts';
import {
  correction,
  type Edit,
  edit as editRule,
  hasCondition,
  submission,
} from '../../../api/products/schema.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { publicSlot } from '../../../api/slots/reads.ts';
import { schema } from '../../../db/client.ts';
import { categories } from '../../../db/vocabularies.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { draft, live, productRow, runQueue, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

/** Condition of a product (product R51). */
const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const photo = async () => (await market.db.select().from(schema.uploads))[0]?.id as string;
const changes = async (overrides: Partial<Edit> = {}): Promise<Edit> => {
  const {
    durationHours: _h,
    listingType: _t,
    paymentMethod: _p,
    ...rest
  } = draft({ images: [await photo()] });
  return { ...rest, ...overrides };
};

test('applies to every category but food', () => {
  expect(categories.filter((category) => !hasCondition(category))).toEqual(['food']);
  expect(hasCondition(null)).toBe(false);
  expect(hasCondition('')).toBe(false);
});

test('is refused where the category has none, and the form leaves it out there', () => {
  const image = '0b7a1c9e-1c8f-4c53-9a64-0f5f0c0b6a11';
  const sent = draft({ images: [image], category: 'food', condition: 'used' });
  const { durationHours: _h, listingType: _t, paymentMethod: _p, ...change } = sent;
  for (const judged of [
    submission.safeParse(sent),
    editRule.safeParse(change),
    correction.safeParse({ ...change, seen: new Date().toISOString() }),
  ])
    expect(judged.error?.issues.map(({ path }) => path)).toEqual([['condition']]);
  const answers = { ...emptyAnswers, category: 'food', condition: 'used' };
  expect(toSubmission(answers, [])).not.toHaveProperty('condition');
  expect(toSubmission({ ...answers, category: 'toys' }, [])).toHaveProperty('condition', 'used');
});

test('goes with a submission through review, stall, end and relisting', async () => {
  const { id } = await submitted(market, seller, { condition: 'as_new' });
  const [pending] = (await pendingProducts(await market.ctx(admin))).products;
  expect(pending?.condition).toBe('as_new');
  expect((await productRow(market, id)).condition).toBe('as_new');
  const shown = await live(market, seller, admin, { condition: 'used' });
  expect(await publicSlot(await market.ctx(seller), shown.slotId)).toMatchObject({
    product_condition: 'used',
  });
  market.clock.set(shown.endTime);
  await runQueue(market);
  await relist(await market.ctx(seller), shown.id);
  expect((await productRow(market, shown.id)).condition).toBe('used');
});

test('waits with a change of a live listing, and a change without one takes it away', async () => {
  const { id } = await live(market, seller, admin, { condition: 'new' });
  await edit(await market.ctx(seller), id, await changes({ condition: 'used' }));
  expect((await productRow(market, id)).condition).toBe('new');
  const [waiting] = (await pendingEdits(await market.ctx(admin))).edits;
  expect(waiting).toMatchObject({ before: { condition: 'new' }, after: { condition: 'used' } });
  expect((await ownProduct(await market.ctx(seller), id)).change?.changes.condition).toBe('used');
  await decideEdit(await market.ctx(admin), id, 'approve');
  expect((await productRow(market, id)).condition).toBe('used');
  await edit(await market.ctx(seller), id, await changes());
  const [next] = (await pendingEdits(await market.ctx(admin))).edits;
  expect(next).toMatchObject({ before: { condition: 'used' }, after: { condition: null } });
});

test('is changed by an admin in the slot, not for food', async () => {
  const { id, slotId } = await live(market, seller, admin);
  const save = async (condition: 'new' | null) =>
    editSlot(await market.ctx(admin), slotId, { productId: id, durationHours: 24, condition });
  await save('new');
  expect((await productRow(market, id)).condition).toBe('new');
  await save(null);
  expect((await productRow(market, id)).condition).toBeNull();
  await market.sql`update products set category = 'food' where id = ${id}`;
  await refused(save('new'), 'validation');
});

test('is held by the database', async () => {
  const { id } = await live(market, seller, admin, { condition: 'new' });
  await expect(market.sql`update products set condition = 'old' where id = ${id}`).rejects.toThrow(
    'products_condition_known',
  );
  await expect(market.sql`update products set category = 'food' where id = ${id}`).rejects.toThrow(
    'products_condition_applies',
  );
});
