import * as z from 'zod/mini';
import { photoWidths } from './limits.ts';

/** Strangers' photos are decoded in other processes than our own drawings and stored files. */
const kinds = ['photos', 'drawings'] as const;
export type Kind = (typeof kinds)[number];

export type Job =
  | { task: 'photo' }
  /** The files of `markFiles`, in order. */
  | { task: 'mark' }
  /** An SVG rendered in a square of `size` pixels, then treated as a photo. */
  | { task: 'drawing'; size: number }
  | { task: 'avif'; width: number; quality: number; effort: number }
  /** JPEG of at most this width, which every chat network accepts. */
  | { task: 'jpeg'; width: number }
  | { task: 'card'; hasPicture: boolean; card: CardPlan };

export type CardPlan = {
  width: number;
  height: number;
  paper: string;
  /** The picture's width, its top edge and its height: by default down to the card's end. */
  split: number;
  top: number;
  photoHeight?: number;
  /** False drains the picture of colour. */
  live: boolean;
  mark: string;
  /** Quality is lowered until the file is smaller than this. */
  bytes: number;
};

/** Refusals of a stranger's photo. */
export const refusals = ['notImage', 'cut', 'tooManyPixels'] as const;

const side = z.int().check(z.minimum(1), z.maximum(100_000));

/** Validated: a process that decoded a stranger's file cannot be trusted. */
export const answers = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ refused: z.enum(refusals), message: z.string() }),
  z.object({ failed: z.string() }),
  z.object({
    photo: z.object({
      width: side,
      height: side,
      colour: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
      widths: z.array(side).check(z.maxLength(photoWidths.length + 1)),
    }),
  }),
  z.object({ done: z.literal(true) }),
]);
export type Answer = z.output<typeof answers>;
