import { runCountdowns } from '../../lib/countdown.ts';
import { heartsOnDemand } from '../favourites/onDemand.ts';
import { failedPhotos } from '../product/photos.ts';
import { type ShareWords, shareActions } from '../product/share.ts';

/** Starts the scripts of public product pages: clocks, failed photos, sharing, contact, hearts. */
export function startPage(words: ShareWords, onExpired?: () => void): () => void {
  failedPhotos();
  shareActions(words);
  heartsOnDemand();
  return runCountdowns(document, onExpired);
}
