import type { Ctx } from '../core/context.ts';
import { verifyQueue } from '../queue/verify.ts';
import { runCommand } from './command.ts';

/**
 * `bun run verify-queue`: compares the queue log with the present order; exits with 1 on faults
 * (decision 056).
 */
const words = {
  changed: 'was changed after it was signed',
  missing: 'is missing',
  unchained: 'does not continue the entry before it',
  displaced: 'names another place than the one where the product stood',
  log: 'The log ends elsewhere than its entries',
  place: 'does not wait where the log says',
  held: 'is passed over, or is not, otherwise than the log says',
};

await runCommand(() => async (ctx: Ctx) => {
  const { entries, waiting, faults } = await verifyQueue(ctx);
  for (const { queueName, entry, productId, what } of faults) {
    const subject =
      entry !== null ? `entry ${entry} ` : productId !== null ? `product ${productId} ` : '';
    console.log(
      `${queueName}: ${subject}${words[what]}${entry !== null && productId !== null ? ` (product ${productId})` : ''}`,
    );
  }
  console.log(
    `${entries} entries, ${waiting} waiting: ${faults.length === 0 ? 'the order is what the log says' : `${faults.length} faults`}.`,
  );
  return faults.length === 0 ? 0 : 1;
});
