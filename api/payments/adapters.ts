import { purchaseMethods } from '../../db/vocabularies.ts';
import type { Adapter, Purchase, Standing } from '../core/ports.ts';
import { isUuid } from '../shared/text.ts';

/** Simulated payment times in milliseconds (product §9). */
const delays = { stripe: 2000, mobile_money: 3000 } as const;

/** Stateless, so a restart loses no payment. */
const standing = ({ id, purchaseMethod, createdAt }: Purchase, now: Date): Standing => {
  if (purchaseMethod === 'cash_partner') return { state: 'pending', askAt: 'never' };
  const askAt = new Date(createdAt.getTime() + delays[purchaseMethod]);
  return now < askAt
    ? { state: 'pending', askAt }
    : { state: 'completed', reference: `test-${id.slice(0, 8)}` };
};

/**
 * Demo payments (product R38): card after two seconds, mobile money after three, cash waits for an
 * admin.
 */
export const simulation: Adapter = {
  name: 'simulation',
  methods: purchaseMethods,
  testMode: true,
  start: async (purchase, now) => standing(purchase, now),
  ask: async (purchase, now) => standing(purchase, now),
  refund: {
    start: async ({ id }) => ({ state: 'completed', reference: `test-${id.slice(0, 8)}` }),
    ask: async ({ id }) => ({ state: 'completed', reference: `test-${id.slice(0, 8)}` }),
  },
  // Needs no signature: it only triggers another `ask`.
  readCallback: async (body) => (isUuid(body) ? [body] : []),
};

/** Cash handed to an admin; needs no provider. */
export const cash: Adapter = {
  name: 'cash',
  methods: ['cash_partner'],
  testMode: false,
  start: async () => ({ state: 'pending', askAt: 'never' }),
  ask: async () => ({ state: 'pending', askAt: 'never' }),
  readCallback: async () => [],
};
