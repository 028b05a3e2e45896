import type { Dictionaries } from '../../../../locales/keys.ts';
import type { ShareWords } from '../product/share.ts';

/** Words of the island only: props are written into the page. */
export type MarketWords = {
  share: ShareWords;
  actions: { contact: string; share: string };
  news: Pick<Dictionaries['home']['grid'], 'showNew_one' | 'showNew_many' | 'showNew_other'>;
};
