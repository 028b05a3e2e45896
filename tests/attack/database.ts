import type { Attack } from './attacks.ts';
import { status } from './requests.ts';

/** The database's own death, in parts and whole. */
export const database: readonly Attack[] = [
  {
    name: 'database: 300 connections ended under reads',
    settleMs: 1000,
    async run({ url, sql }) {
      let longest = 0;
      let reading = true;
      const read = async () => {
        while (reading) {
          const started = performance.now();
          await status(`${url}/api/slots`).catch(() => 0);
          longest = Math.max(longest, performance.now() - started);
          // Within the pace of one address: what is refused reads nothing.
          await Bun.sleep(110);
        }
      };
      const readers = Array.from({ length: 4 }, read);
      let ended = 0;
      for (let n = 0; n < 1000 && ended < 300; n++) {
        const [row] = await sql<{ pid: number }[]>`
          select pg_terminate_backend(pid), pid from pg_stat_activity
          where datname = 'marche54' and pid <> pg_backend_pid() and backend_type = 'client backend' order by random() limit 1`;
        if (row) ended++;
        await Bun.sleep(30);
      }
      reading = false;
      await Promise.all(readers);
      const healthy = await status(`${url}/readyz`);
      return { note: `${ended} ended; longest read ${Math.round(longest)} ms; afterwards /readyz ${healthy}`, held: healthy === 200 && longest < 20_000 };
    },
  },
  {
    name: 'database: its main process killed',
    settleMs: 1000,
    async run({ url, postmaster }) {
      const { pid } = await postmaster();
      process.kill(pid, 'SIGKILL');
      const started = performance.now();
      let ready = 0;
      while (ready !== 200 && performance.now() - started < 60_000) {
        await Bun.sleep(50);
        ready = await status(`${url}/readyz`).catch(() => 0);
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      return { note: ready === 200 ? `answers again after ${seconds} s` : 'never came back', held: ready === 200 };
    },
  },
];
