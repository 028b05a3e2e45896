import { createPictures } from '../../api/pictures/pictures.ts';
import { jpeg } from './photos.ts';

/** A server that has judged one photo, says which process did it, and then only stands there until somebody kills it. */
const pictures = createPictures({ idleMs: 600_000 });
await pictures.photo(await jpeg());
console.log(pictures.pids[0]);
setInterval(() => {}, 60_000);
