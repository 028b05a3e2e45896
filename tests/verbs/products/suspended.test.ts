import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { edit } from '../../../api/products/edit.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { relist } from '../../../api/products/relist.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { countChange } from '../../../api/sellers/changes.ts';
import { signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';

/** A suspended seller learns of the suspension before any limit or fault of what was sent. */
const market = await testApp({ env: { LOAD_LIMITS: '1' } });
const unknown = randomUUID();
const verbs: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  withdraw: (ctx) => withdraw(ctx, unknown),
  relist: (ctx) => relist(ctx, unknown),
  markSold: (ctx) => markSold(ctx, unknown),
  edit: (ctx) => edit(ctx, unknown, {} as never),
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.code ?? String(error),
  );

test.each(Object.entries(verbs))(
  '%s refuses a suspended seller as such, whatever was counted or sent',
  async (_, act) => {
    const seller = await signUpSeller(market);
    const active = await market.ctx(seller);
    expect(await codeOf(act(active))).toBe('products.notFound');
    for (let n = 1; n < active.services.load.changes.max; n++) await countChange(active);
    expect(await codeOf(act(active))).toBe('sellers.changedOften');
    await suspend(market, seller);
    expect(await codeOf(act(await market.ctx(seller)))).toBe('sellers.suspended');
  },
);
