import type { Language } from '../../../../locales/languages.ts';
import { age } from '../../lib/format.ts';

const minuteMs = 60_000;

/**
 * Keeps the ages of a page true while it stays open (product §9). They follow the server's clock, which wrote the page, however wrong the phone's own is.
 * Answers how to end it.
 * @param written when the server wrote the page
 */
export function keepAges(written: number, language: Language): () => void {
  const timer = setInterval(() => {
    const now = written + Date.now() - performance.timeOrigin;
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]'))
      time.textContent = age(time.dateTime, now, language);
  }, minuteMs);
  return () => clearInterval(timer);
}
