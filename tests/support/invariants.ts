import { expect } from 'vitest';
import { listingRules, placeRules, queueRules } from '../../api/check/market.ts';
import { premiumCount } from '../../api/shared/slots.ts';
import type { TestApp } from './app.ts';
import { expectSound } from './sound.ts';

/**
 * Expects the invariants of slots, queue, listings and products, which hold at any moment (product
 * R1-R7, decision 056).
 */
export async function expectInvariants(
  market: Pick<TestApp, 'sql' | 'job' | 'clock'>,
): Promise<void> {
  await expectSound(market, [...placeRules, ...queueRules, ...listingRules]);
  // Only an admin may place a product in a slot of the other lane, by its number; without that,
  // lanes are kept.
  const inWrongSlot =
    await market.sql`select s.id from slots s join products p on p.id = s.product_id
      where (s.id <= ${premiumCount}) <> (p.listing_type = 'featured')`;
  expect([...inWrongSlot]).toEqual([]);
}
