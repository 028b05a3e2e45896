import { heapStats } from 'bun:jsc';
import { appendFileSync } from 'node:fs';

/**
 * Preloaded into the market by `bun run attack --heap FILE`: writes its memory use twice a second.
 * Counting objects pauses the event loop, so times measured in such a run are not the market's own.
 */
const file = process.env.HEAP_FILE;
const everyMs = 500;
/** Objects are counted only above this size. */
const largeMb = 300;
const mb = (bytes: number) => Math.round(bytes / 2 ** 20);

if (file)
  setInterval(() => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    const line = {
      at: new Date().toISOString(),
      rss: mb(rss),
      heap: mb(heapUsed),
      external: mb(external),
      buffers: mb(arrayBuffers),
    };
    const { objectTypeCounts, extraMemorySize } =
      mb(rss) > largeMb ? heapStats() : { objectTypeCounts: {}, extraMemorySize: 0 };
    const most = Object.entries(objectTypeCounts as Record<string, number>)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 12);
    appendFileSync(file, `${JSON.stringify({ ...line, extra: mb(extraMemorySize), most })}\n`);
  }, everyMs).unref();
