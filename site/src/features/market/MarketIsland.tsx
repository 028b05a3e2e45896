import { useEffect, useState } from 'react';
import type { Language } from '../../../../locales/languages.ts';
import ContactStep from '../product/ContactStep.tsx';
import sheet from '../product/contactOnMarket.css?url';
import { openMarketPage } from './market.ts';
import type { MarketWords } from './words.ts';

type Props = {
  language: Language;
  words: MarketWords;
  closeLabel: string;
  demo?: string | undefined;
};

/**
 * Market effects and consent step, which loads after the largest paint. Without a script, contact
 * leads to the product's own page.
 */
export default function MarketIsland({ language, words, closeLabel, demo }: Props) {
  const [styled, setStyled] = useState(false);

  useEffect(() => openMarketPage(language, words), [language, words]);

  useEffect(() => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet });
    link.onload = () => setStyled(true);
    document.head.append(link);
  }, []);

  return styled && <ContactStep {...{ language, closeLabel, demo }} />;
}
