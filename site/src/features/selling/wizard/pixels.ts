/** Decoded, four bytes a pixel; cameras of phones have 50 and 108 megapixels. */
const mostOnDevice = 120_000_000;

/** True if decoding the photo could exhaust the phone's memory. */
export const hasTooManyPixels = async (file: Blob): Promise<boolean> =>
  (await countPixels(file)) > mostOnDevice;

/** Pixels according to the file's header, without decoding; 0 if unreadable. */
export async function countPixels(file: Blob): Promise<number> {
  const view = new DataView(await file.slice(0, 512 * 1024).arrayBuffer());
  try {
    return png(view) ?? webp(view) ?? jpeg(view) ?? 0;
  } catch {
    // Truncated header.
    return 0;
  }
}

const ascii = (view: DataView, at: number, length: number) =>
  Array.from({ length }, (_, n) => String.fromCharCode(view.getUint8(at + n))).join('');

function png(view: DataView): number | undefined {
  return ascii(view, 1, 3) === 'PNG' ? view.getUint32(16) * view.getUint32(20) : undefined;
}

function webp(view: DataView): number | undefined {
  if (ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return undefined;
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (ascii(view, 12, 4)) {
    case 'VP8X':
      return (uint24(24) + 1) * (uint24(27) + 1);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
  }
}

function jpeg(view: DataView): number | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  for (;;) {
    const marker = view.getUint16(at);
    // A start-of-frame marker holds the size (C4, C8 and CC are tables).
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return view.getUint16(at + 5) * view.getUint16(at + 7);
    at += 2 + view.getUint16(at + 2);
  }
}
