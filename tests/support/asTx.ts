import type { Ctx, Tx } from '../../api/core/context.ts';

/** For a test's single call outside a transaction: each statement then commits by itself. */
export const asTx = (ctx: Ctx): Tx => ctx as Tx;
