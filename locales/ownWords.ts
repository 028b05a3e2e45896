import type { Key } from './keys.ts';

type Own = 'common' | 'home' | 'bot';
type OwnKey = { [N in Own]: `${N}:${Key<N>}` }[Own];

const steps = <Side extends string, Step extends string>(side: Side, names: readonly Step[]) =>
  names.flatMap(
    (step) =>
      [`home:howItWorks.${side}.${step}.title`, `home:howItWorks.${side}.${step}.text`] as const,
  );

/**
 * Sentences that an operator may replace in each language, by setting (product R59). None holds a
 * placeholder that a caller fills.
 */
export const ownWords = {
  taglines: [
    'common:brand.tagline',
    'home:meta.title',
    'home:meta.description',
    'home:hero.title',
    'home:hero.text',
    'common:brand.oneSentence',
    'common:footer.about',
    'home:why.local.title',
    'home:why.local.text',
    'bot:menu.about',
    'bot:menu.short',
  ],
  figures: [
    'home:stats.liveProducts.value',
    'home:stats.liveProducts.label',
    'home:stats.visits.value',
    'home:stats.visits.label',
    'home:stats.sales.value',
    'home:stats.sales.label',
    'home:stats.response.value',
    'home:stats.response.label',
  ],
  howItWorks: [
    'home:howItWorks.title',
    'home:howItWorks.intro',
    'home:howItWorks.meta.description',
    'home:howItWorks.buyers.title',
    ...steps('buyers', ['step1', 'step2', 'step3', 'step4']),
    'home:howItWorks.sellers.title',
    ...steps('sellers', ['step1', 'step2', 'step3', 'step4', 'step5']),
    'home:howItWorks.features.title',
    ...steps('features', ['card1', 'card2', 'card3', 'card4', 'card5', 'card6']),
    'home:howItWorks.cta.title',
    'home:howItWorks.cta.text',
  ],
} as const satisfies Record<string, readonly OwnKey[]>;

export type OwnWordsSetting = keyof typeof ownWords;
/** By `namespace:key`. */
export type OwnWords = Record<string, string>;

/** Most characters: figures stand in a row, and titles of pages in a tab. */
export const longestOf = (key: string): number =>
  key.endsWith('.value') ? 14 : /(?:title|label|tagline|short)$/.test(key) ? 100 : 300;
