import type { ClientDirective } from 'astro';

/**
 * `client:calm`: an island that waits its turn. The waiting is done for all of a page at once, by the few lines that stand in the
 * place of Astro's runtime (adapter/wake.ts): without the runtime no island asks for anything.
 */
const calm: ClientDirective = async (load) => {
  const hydrate = await load();
  await hydrate();
};

export default calm;
