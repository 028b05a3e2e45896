/** Limits of a photo: bytes as it is sent, pixels in all, and pixels along each side (decision 009). */
export const photoLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, side: 16_384 } as const;
/** The widths that pages use: card, hero, full. */
export const photoWidths = [320, 720, 1280] as const;

/** A photo in the widths that pages use; `colour` stands in for it until it is there. */
export type PreparedPhoto = {
  width: number;
  height: number;
  colour: string;
  files: { width: number; bytes: Uint8Array }[];
};
