import { useState } from 'react';
import type { Pending } from './pending.ts';

type Photo = Pending['images'][number];

/** A submitted photo, or the words for one that cannot be loaded. */
export function Picture({ photo, width, alt, failed }: { photo: Photo; width: number; alt: string; failed: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <span className="picture picture--none">{failed}</span>;
  const source = photo.sources.find((candidate) => candidate.width >= width)?.src ?? photo.src;
  return (
    <img className="picture" src={source} width={photo.width} height={photo.height} alt={alt} loading="lazy" decoding="async" onError={() => setBroken(true)} />
  );
}
