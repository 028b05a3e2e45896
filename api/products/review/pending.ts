import type { Tx } from '../../core/context.ts';
import { meanwhile } from '../../core/meanwhile.ts';
import { type Locked, lockProduct } from '../../listings/locks.ts';
import { Refusal } from '../../shared/errors.ts';

export async function lockPending(tx: Tx, productId: string): Promise<Locked> {
  const locked = await lockProduct(tx, productId);
  const { status, withdrawnAt } = locked.product;
  if (status !== 'pending' || withdrawnAt) {
    throw new Refusal(
      'products.notPending',
      meanwhile(tx, withdrawnAt ? 'withdrawn' : status === 'rejected' ? 'rejected' : 'approved'),
    );
  }
  return locked;
}
