import sharp from 'sharp';
import { type PictureName, pictures } from './index.ts';

/** A photograph, as a seller would upload one: the drawing as a JPEG. */
export const renderPicture = (name: PictureName, variant: number, size = 1200): Promise<Buffer> =>
  sharp(Buffer.from(pictures[name](variant)), { density: (72 * size) / 1200 })
    .resize(size, size)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer();
