import type { schema } from '../../db/client.ts';
import { sign } from '../core/chain.ts';

export type Entry = typeof schema.creditEntries.$inferSelect;
/** What an entry's hash is made of: numbers and ids, no words and no person. */
export type Linked = Pick<
  Entry,
  | 'id'
  | 'member'
  | 'serial'
  | 'kind'
  | 'amount'
  | 'balance'
  | 'referenceType'
  | 'referenceId'
  | 'undoes'
  | 'purchaseId'
  | 'at'
  | 'previous'
>;

/** Signs an entry together with the one before it. */
export function hashOf(key: string, entry: Linked): string {
  const {
    id,
    member,
    serial,
    kind,
    amount,
    balance,
    referenceType,
    referenceId,
    undoes,
    purchaseId,
    at,
    previous,
  } = entry;
  return sign(key, [
    id,
    member,
    serial,
    kind,
    amount,
    balance,
    referenceType,
    referenceId,
    undoes,
    purchaseId,
    at.toISOString(),
    previous,
  ]);
}
