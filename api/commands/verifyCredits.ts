import { readFileSync } from 'node:fs';
import type { Ctx } from '../core/context.ts';
import { checkStatement } from '../credits/proof.ts';
import { verifyCredits } from '../credits/verify.ts';
import { runCommand } from './command.ts';

/**
 * `bun run verify-credits [statement.csv]`: verifies the ledger, or a member's own CSV; exits with
 * 1 on faults (decision 042).
 */
const words = {
  changed: 'was changed after it was signed',
  missing: 'is missing',
  unchained: 'does not continue the entry before it',
  account: 'The account says something else than its entries',
  purchase: 'A purchase and its entry do not belong together',
  notIssued: 'was not issued like this by this market',
  notInLedger: 'was issued, and is not in the ledger any more',
};

async function wholeLedger(ctx: Ctx): Promise<number> {
  const { members, entries, faults } = await verifyCredits(ctx);
  for (const { member, entry, what } of faults)
    console.log(
      `Member ${member}: ${entry === null ? words[what] : `entry ${entry} ${words[what]}`}`,
    );
  console.log(
    `${entries} entries of ${members} members: ${faults.length === 0 ? 'every chain is whole' : `${faults.length} faults`}.`,
  );
  return faults.length === 0 ? 0 : 1;
}

async function oneStatement(ctx: Ctx, csv: string): Promise<number> {
  const { lines, faults } = await checkStatement(ctx, csv);
  for (const { line, what } of faults) console.log(`Line ${line} ${words[what]}`);
  console.log(
    `${lines} entries in the statement: ${faults.length === 0 ? 'all are in the ledger' : `${faults.length} faults`}.`,
  );
  return faults.length === 0 ? 0 : 1;
}

await runCommand(() => {
  const [file] = process.argv.slice(2);
  if (file === undefined) return wholeLedger;
  const csv = readFileSync(file, 'utf8');
  return (ctx) => oneStatement(ctx, csv);
});
