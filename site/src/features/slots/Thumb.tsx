import { useState } from 'react';
import { sourceFor } from '../market/slots.ts';
import type { Listed } from './slots.ts';

/** The cover of a product, small; the name stands beside it. Words where there is none, or where it cannot be loaded. */
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
