import { leadsToMarket, ownEnvironment } from './ownEnvironment.ts';

/**
 * Stops programs that break or flood a market on purpose if the environment (Bun reads .env) leads
 * to a market. Otherwise drops all settings, so that children inherit none. Import it first.
 */
const found = leadsToMarket(process.env);
if (found.length > 0) {
  console.error(
    `This program breaks things on purpose, and does not run where a market is configured (${found.join(', ')}, in the environment or a .env file). ` +
      'Run it in a checkout of its own, without these settings.',
  );
  process.exit(2);
}
const own = ownEnvironment();
for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
