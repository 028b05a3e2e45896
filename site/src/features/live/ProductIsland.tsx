import { useEffect } from 'react';
import type { ShareWords } from '../product/share.ts';
import { openProductPage } from './product.ts';

/** Brings the page of a product to life: effects only, nothing to see. */
export default function ProductIsland({ words }: { words: ShareWords }) {
  useEffect(() => openProductPage(words), [words]);
  return null;
}
