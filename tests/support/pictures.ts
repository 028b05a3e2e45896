import { createPictures, type Pictures } from '../../api/pictures/pictures.ts';

let shared: Pictures | undefined;
/** Image workers shared by all apps of a test file; they exit soon after the last picture. */
export function sharedPictures(): Pictures {
  shared ??= createPictures({ idleMs: 3000, jobMs: 60_000, waitMs: 60_000 });
  return shared;
}
