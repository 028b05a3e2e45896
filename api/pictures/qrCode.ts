import { encode } from 'uqr';

/** A text as a QR code: SVG path of its dark squares; `size` in squares includes the quiet border. */
export function qrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 4 });
  return {
    size,
    path: data
      .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
      .join(''),
  };
}
