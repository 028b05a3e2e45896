import type { ClientDirective } from 'astro';

type Connection = { saveData?: boolean };

/**
 * `client:calm`: an island that waits its turn. Its script is fetched when the page has loaded and the browser is idle, after the
 * largest paint; where the phone saves data, at the first touch or key. The HTML is complete before that (docs/decisions/islands.md).
 */
const calm: ClientDirective = (load) => {
  const go = async () => {
    const hydrate = await load();
    await hydrate();
  };
  if ((navigator as Navigator & { connection?: Connection }).connection?.saveData) {
    const signs = ['pointerdown', 'keydown'] as const;
    const start = () => {
      for (const sign of signs) removeEventListener(sign, start);
      void go();
    };
    for (const sign of signs) addEventListener(sign, start, { once: true, passive: true });
    return;
  }
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(() => void go(), { timeout: 2000 }) : setTimeout(() => void go(), 200));
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
};

export default calm;
