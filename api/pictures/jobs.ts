import * as z from 'zod/mini';
import { photoWidths } from './limits.ts';

/** Which process does the work: one reads what strangers send, the other the market's own drawings and stored files. */
const kinds = ['photos', 'drawings'] as const;
export type Kind = (typeof kinds)[number];

/** What a picture process can be asked; the files go beside it. */
export type Job =
  /** A photo as somebody sent it. */
  | { task: 'photo' }
  /** An SVG, photographed in a square of so many pixels and then treated as a photo. */
  | { task: 'drawing'; size: number }
  /** A stored photo as AVIF. */
  | { task: 'avif'; width: number; quality: number; effort: number }
  /** A stored photo as JPEG, no wider than this: what every chat network takes. */
  | { task: 'jpeg'; width: number }
  /** A share card: an SVG over paper, and below it the picture, when there is one. */
  | { task: 'card'; hasPicture: boolean; card: CardPlan };

export type CardPlan = {
  width: number;
  height: number;
  paper: string;
  /** How wide the picture is, and how far from the top it begins. */
  split: number;
  top: number;
  /** What is not live is drained of its colour. */
  live: boolean;
  /** Kept in the file's metadata. */
  mark: string;
  /** Squeezed until it is smaller, in bytes. */
  bytes: number;
};

const side = z.int().check(z.minimum(1), z.maximum(100_000));

/** What a process answers. Checked, because a process that read a stranger's file is not to be trusted blindly. */
export const answers = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ refused: z.enum(['notImage', 'tooManyPixels']), message: z.string() }),
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
