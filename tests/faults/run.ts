import { longRun } from './long.ts';
import { openPlace } from './place.ts';

/** `bun run faults`: members of Connect write while the server is killed and connections are ended, and then everything is counted. */
await longRun(openPlace);
