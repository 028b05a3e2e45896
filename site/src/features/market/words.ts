import type { Dictionaries } from '../../../../locales/keys.ts';
import type { ShareWords } from '../product/share.ts';

/** The sentences of the market's island, and no others: props are written into the page. */
export type MarketWords = {
  share: ShareWords;
  /** Names of the actions of a card, with `{{name}}`. */
  actions: { contact: string; share: string };
  news: Pick<Dictionaries['home']['grid'], 'showNew_one' | 'showNew_many' | 'showNew_other'>;
};
