import { useEffect } from 'react';
import type { Language } from '../../../../locales/languages.ts';
import { keepAges } from './ages.ts';
import { followBalance } from './balance.ts';
import { followNews, type NewsWords } from './feed/news.ts';
import { appendOlder } from './feed/older.ts';

type Props = { language: Language; words: NewsWords };

/** Effects of a Connect page; renders nothing. */
export default function ConnectIsland({ language, words }: Props) {
  useEffect(() => {
    const written = Date.parse(
      document.querySelector<HTMLElement>('[data-written]')?.dataset.written ?? '',
    );
    const stops = [
      followBalance(language),
      keepAges(written, language),
      appendOlder(),
      followNews(written, language, words),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [language, words]);
  return null;
}
