import { isUuid } from '../core/text.ts';
import type { Adapter, Purchase, Standing } from './adapter.ts';

/** How long a payment takes that is none, in milliseconds (product §9). */
const delays = { stripe: 2000, mobile_money: 3000 } as const;

/** It remembers nothing: how a payment stands follows from when it was begun, so that no restart loses one. */
const standing = ({ id, purchaseMethod, createdAt }: Purchase, now: Date): Standing => {
  if (purchaseMethod === 'cash_partner') return { state: 'pending', askAt: 'never' };
  const askAt = new Date(createdAt.getTime() + delays[purchaseMethod]);
  return now < askAt
    ? { state: 'pending', askAt }
    : { state: 'completed', reference: `test-${id.slice(0, 8)}` };
};

/** Payments of the demo (product R38): a card is charged after two seconds, mobile money after three, cash waits for an admin. No money moves. */
export const simulation: Adapter = {
  name: 'simulation',
  methods: ['stripe', 'mobile_money', 'cash_partner'],
  testMode: true,
  start: async (purchase, now) => standing(purchase, now),
  ask: async (purchase, now) => standing(purchase, now),
  // Anybody may say that it is time to ask: the answer is the same.
  readCallback: async (body) => (isUuid(body) ? [body] : []),
};

/** Cash in an admin's hand: the one way to be paid that needs no provider. */
export const cash: Adapter = {
  name: 'cash',
  methods: ['cash_partner'],
  testMode: false,
  start: async () => ({ state: 'pending', askAt: 'never' }),
  ask: async () => ({ state: 'pending', askAt: 'never' }),
  readCallback: async () => [],
};
