type FileKind = 'photo' | 'otherImage' | 'other';

/** Bytes that {@link kindOf} reads: an SVG may begin with a comment. */
export const headBytes = 1024;

const photos = /^(?:ffd8ff|89504e470d0a1a0a|52494646.{8}57454250)/; // JPEG, PNG, RIFF….WEBP
const otherImages = [
  /^47494638/, // GIF
  /^424d.{8}00000000/, // BMP
  /^(?:49492a00|4d4d002a)/, // TIFF
  /^.{8}66747970(?:686569|686576|6d6966|6d7366|617669)/, // HEIC, AVIF
  /^(?:ff0a|0000000c4a584c20)/, // JPEG XL
  /^00000100/, // ICO
];

/** Keeps everything but photos away from the decoders (decision 026). */
export function kindOf(bytes: Uint8Array): FileKind {
  const head = bytes.subarray(0, headBytes);
  const figures = [...head].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (photos.test(figures)) return 'photo';
  return otherImages.some((beginning) => beginning.test(figures)) ||
    /<svg[\s>]/i.test(String.fromCharCode(...head))
    ? 'otherImage'
    : 'other';
}
