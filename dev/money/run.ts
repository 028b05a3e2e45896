import { cutEnd } from '../../api/shared/cutEnd.ts';
import { faults, startSim } from './sim.ts';

// The provider for a market on this machine: `bun run money:sim`, then start the market with the
// printed settings. Payers confirm after three seconds.

const { PUBLIC_URL = 'http://localhost:5454', PORT = '5460' } = process.env;
const market = cutEnd(PUBLIC_URL, /\//);
const token = 'sim-token-for-this-machine';
const { url } = await startSim({
  token,
  callbackUrl: `${market}/api/payments/pawapay-test/callback`,
  confirmsMs: 3000,
  port: Number(PORT),
});
console.log(`A provider that moves no money answers at ${url}. Start the market with:
  PAWAPAY_BASE=${url} PAWAPAY_TOKEN=${token} bun start

Numbers that end in 019, 029, 039, 049 or 069 fail, the others pay. A fault for the next payment:
  curl -X POST ${url}/sim/next/FAULT
with one of: ${faults.join(', ')}`);
