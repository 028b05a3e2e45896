import { useState } from 'react';
import { sourceFor } from '../market/slots.ts';
import type { Pending } from './pending.ts';

type Photo = Pending['images'][number];

/** Submitted photo, with a text if it fails to load. */
export function Picture({
  photo,
  width,
  alt,
  failed,
}: {
  photo: Photo;
  width: number;
  alt: string;
  failed: string;
}) {
  const [broken, setBroken] = useState(false);
  if (broken) return <span className="picture picture--none">{failed}</span>;
  return (
    <img
      className="picture"
      src={sourceFor(photo, width)}
      width={photo.width}
      height={photo.height}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
