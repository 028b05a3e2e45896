import { createPictures } from '../../api/pictures/pictures.ts';
import { jpeg } from './photos.ts';

/** Decodes one photo, prints the pid of the process that did, then idles until it is killed. */
const pictures = createPictures({ idleMs: 600_000 });
await pictures.photo(await jpeg());
console.log(pictures.pids[0]);
setInterval(() => {}, 60_000);
