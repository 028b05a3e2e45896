import { useState } from 'react';
import { sourceFor } from '../market/slots.ts';
import type { Listed } from './slots.ts';

/**
 * Small cover picture of a product, decorative since the name is beside it; a text when missing or
 * broken.
 */
export function Thumb({
  image,
  none,
  failed,
}: {
  image: Listed['images'][number] | null | undefined;
  none: string;
  failed: string;
}) {
  const [broken, setBroken] = useState(false);
  if (!image || broken) return <span className="thumb thumb--none">{image ? failed : none}</span>;
  return (
    <img
      className="thumb"
      src={sourceFor(image, 160)}
      width={72}
      height={72}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
