import type { Dictionaries } from '../../../../locales/keys.ts';
import type { ShareWords } from '../product/share.ts';

/** Words for the market's island. Props are written into the page, so nothing more. */
export type MarketWords = {
  share: ShareWords;
  /** Labels of a card's actions, with `{{name}}`. */
  actions: { contact: string; share: string };
  news: Pick<Dictionaries['home']['grid'], 'showNew_one' | 'showNew_many' | 'showNew_other'>;
};
