import { runCountdowns } from '../../lib/countdown.ts';
import { failedPhotos } from '../product/photos.ts';
import { type ShareWords, shareActions } from '../product/share.ts';

/** Starts the scripts of public product pages: clocks, failed photos, sharing, contact. */
export function startPage(words: ShareWords, onExpired?: () => void): () => void {
  failedPhotos();
  shareActions(words);
  return runCountdowns(document, onExpired);
}
