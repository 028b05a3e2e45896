const signs = ['pointerdown', 'pointermove', 'keydown', 'scroll'];

let draw: (() => void) | undefined;

/** Loads the script of hearts at the first touch, scroll or key. */
export function heartsOnDemand(): void {
  const load = () => {
    for (const sign of signs) removeEventListener(sign, load);
    import('./hearts.ts').then(async ({ startHearts }) => {
      draw = await startHearts();
    }, noHearts);
  };
  if (scrollY > 0) load();
  else for (const sign of signs) addEventListener(sign, load, { passive: true });
}

/** Draws those of cards that came since. */
export const heartsAgain = (): void => draw?.();

/** Without the script, the form on the product's page keeps. */
const noHearts = () => {};
