import type { Language } from '../../../../locales/languages.ts';
import { number } from '../../lib/format.ts';

/** Credits below which the page shows the button to buy more (product §9). */
export const buyBelow = 5;

/**
 * Updates the balance on each `connect:balance` event of `window`; its detail is the new balance.
 */
export function followBalance(language: Language): () => void {
  const changed = (event: Event) => {
    const { detail } = event as CustomEvent<number>;
    const count = document.querySelector<HTMLElement>('[data-balance]');
    const buy = document.querySelector<HTMLElement>('.connect__purse [data-buy]');
    if (!count || !buy) return;
    count.textContent = number(detail, language);
    buy.hidden = detail >= buyBelow;
  };
  window.addEventListener('connect:balance', changed);
  return () => window.removeEventListener('connect:balance', changed);
}
