/**
 * Files of the operator's mark, as PNG in pixels: on the page and in mails, for iPhones, and for the
 * installed market. `room` is the share of the square that the mark may take; those with a ground are
 * cut into other shapes by phones.
 */
export const markFiles = {
  '96': { size: 96, room: 1, ground: false },
  '180': { size: 180, room: 0.8, ground: true },
  '192': { size: 192, room: 1, ground: false },
  '512': { size: 512, room: 1, ground: false },
  'maskable-512': { size: 512, room: 0.56, ground: true },
} as const;
export type MarkFile = keyof typeof markFiles;
export const markFileNames = Object.keys(markFiles) as MarkFile[];

export type Mark = { hash: string; files: Record<MarkFile, Uint8Array<ArrayBuffer>> };

let current: Mark | undefined;

export const setMark = (mark: Mark | undefined): void => {
  current = mark;
};

/** The operator's mark; undefined for that of the software. */
export const mark = (): Mark | undefined => current;

/** Path of a file of the present mark; undefined without one. */
export const markPath = (file: MarkFile): string | undefined =>
  current && `/media/mark/${current.hash}-${file}.png`;

/** Most bytes of the picture that an admin sends. */
export const markBytes = 600 * 1024;
