import { createPictures, type Pictures } from '../../api/pictures/pictures.ts';

let shared: Pictures | undefined;
/** The picture room of a test file: one for all its apps. Its processes end by themselves soon after the last picture. */
export function sharedPictures(): Pictures {
  shared ??= createPictures({ idleMs: 3000, jobMs: 60_000, waitMs: 60_000 });
  return shared;
}
