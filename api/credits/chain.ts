import type { schema } from '../../db/client.ts';
import { sign } from '../core/chain.ts';

export type Entry = typeof schema.creditEntries.$inferSelect;
/** The signed fields: numbers and ids, no free text and no personal data. */
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
