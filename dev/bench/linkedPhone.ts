import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBot } from '../../bot/open.ts';
import { chromiumHere } from '../../bot/transports/whatsapp/web/chromium.ts';
import { schema } from '../../db/client.ts';
import { whatsappPage } from '../../tests/support/whatsappPage.ts';
import { median, notMeasured, type Result } from './report.ts';
import type { Bench } from './testbed.ts';

const name = 'chat: memory with WhatsApp';

/**
 * Cost of a linked phone: the real client's process and its browser, idle on a substitute for
 * WhatsApp's page.
 */
export async function linkedPhone(
  { ctx, db, sql, folder, say }: Bench,
  rounds: number,
): Promise<Result> {
  const chromium = chromiumHere();
  if (!chromium) return notMeasured(name, 'MB', 'needs Chromium');
  say('memory of a linked phone');
  const home = join(folder, 'phone');
  const services = {
    ...ctx.services,
    env: { ...ctx.services.env, WHATSAPP_WEB: true, DATA_DIR: home, CHROMIUM: chromium },
  };
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bot = openBot({ db, sql, services, now: () => new Date() }, undefined, {
      page: whatsappPage(join(home, 'pages')),
      show: () => {},
    });
    await bot.start();
    while ((await db.select().from(schema.chatChannels)).every(({ state }) => state !== 'pairing'))
      await Bun.sleep(50);
    await Bun.sleep(2000);
    took.push(sharedOnceMegabytes(join(home, 'whatsapp')));
    await bot.stop();
    await db.delete(schema.chatChannels);
  }
  rmSync(home, { recursive: true, force: true });
  return {
    name,
    value: median(took),
    unit: 'MB',
    note: 'a linked phone’s process and browser on a stub page, beside the market; shared pages counted once',
  };
}

/** Memory (PSS) of the process that names a folder on its command line, and of its descendants. */
function sharedOnceMegabytes(named: string): number {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      // It ended meanwhile.
      return '';
    }
  };
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const parents = new Map(
    pids.map((pid) => [pid, /^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? '']),
  );
  const family = new Set(pids.filter((pid) => read(pid, 'cmdline').includes(named)));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  const kilobytes = [...family].map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}
