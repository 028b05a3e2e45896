import type { ClientDirective } from 'astro';

/**
 * Hydrates a `client:calm` island. Its delay comes from adapter/wake.ts, which loads Astro's
 * runtime late.
 */
const calm: ClientDirective = async (load) => {
  const hydrate = await load();
  await hydrate();
};

export default calm;
