import { useEffect } from 'react';
import type { ShareWords } from '../product/share.ts';
import { openProductPage } from './product.ts';

/** Effects of a product page; renders nothing. */
export default function ProductIsland({ words }: { words: ShareWords }) {
  useEffect(() => openProductPage(words), [words]);
  return null;
}
