import type { Language } from '../../../../locales/languages.ts';
import { number } from '../../lib/format.ts';

/** Below this many credits the way to buy some stands beside the balance (product §9). */
export const buyBelow = 5;

/**
 * Shows the balance that somebody has after paying or buying, as whoever did it tells: `new CustomEvent('connect:balance', { detail: 12 })` on `window`.
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
