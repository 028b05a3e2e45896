import { runCountdowns } from '../../lib/countdown.ts';
import { serverNow } from '../../lib/engagement.ts';
import { startReporter } from '../../lib/report.ts';
import { contactStep } from '../product/contact.ts';
import { failedPhotos } from '../product/photos.ts';
import { type ShareWords, shareActions } from '../product/share.ts';
import { rememberLanguage } from './language.ts';

/** What every public page with products does once it is painted: reports, clocks, photos that fail, sharing, contact, language. */
export function startPage(words: ShareWords, onExpired?: () => void): () => void {
  startReporter();
  failedPhotos();
  shareActions(words);
  contactStep();
  const stops = [rememberLanguage(), runCountdowns(document, { now: serverNow, ...(onExpired ? { onExpired } : {}) })];
  return () => {
    for (const stop of stops) stop();
  };
}
