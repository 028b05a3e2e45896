import { leadsToMarket, ownEnvironment } from './ownEnvironment.ts';

/**
 * Imported first by every program that breaks or floods a market on purpose. Bun reads the .env file of the folder it stands in: beside a production market the
 * program ends before it does anything. Elsewhere it forgets all settings, so that the processes it starts inherit none.
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
