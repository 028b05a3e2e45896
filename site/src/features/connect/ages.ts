import type { Language } from '../../../../locales/languages.ts';
import { age } from '../../lib/format.ts';

const minuteMs = 60_000;

/**
 * Updates ages on an open page (product §9), by the server's clock since the phone's may be wrong.
 * `written` is the time the page was rendered. Returns a function that stops it.
 */
export function keepAges(written: number, language: Language): () => void {
  const timer = setInterval(() => {
    const now = written + Date.now() - performance.timeOrigin;
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]'))
      time.textContent = age(time.dateTime, now, language);
  }, minuteMs);
  return () => clearInterval(timer);
}
