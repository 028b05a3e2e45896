/** Upload size in bytes, pixels in total and per side (decision 026). */
export const photoLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, side: 16_384 } as const;
/** Card, hero, full view. */
export const photoWidths = [320, 720, 1280] as const;

/** `colour` is the placeholder until the photo loads. */
export type PreparedPhoto = {
  width: number;
  height: number;
  colour: string;
  files: { width: number; bytes: Uint8Array }[];
};
