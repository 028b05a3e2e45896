import { parseArgs } from 'node:util';
import { forJobs } from '../../db/client.ts';
import { readEnv } from '../ops/env.ts';
import { runInteractive, runScript } from '../sqlshell/run.ts';
import { openSession } from '../sqlshell/session.ts';
import { atDatabase, endWith } from './command.ts';

/**
 * `bun run sql`: an SQL shell (docs/runbook.md), read-only without --write (decision 064). Scripts
 * exit with 1 at the first error.
 */
const usage = 'bun run sql [--write] [-c "select …"], or statements on standard input';

async function run(): Promise<number> {
  const options = {
    command: { type: 'string', short: 'c', multiple: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const env = readEnv(process.env);
  return atDatabase(env, { asItIs: true }, async (target) => {
    const notice = (line: string) => console.error(line);
    const session = await openSession(env.DATABASE_DIRECT_URL ?? target, {
      ...forJobs,
      write: values.write,
      notice,
    });
    try {
      if (values.command) return await runScript(session, values.command);
      if (!process.stdin.isTTY) return await runScript(session, [await Bun.stdin.text()]);
      console.error(
        `Postgres ${session.version}. ${session.readOnly ? 'Read only; --write lets you change rows.' : 'WHAT YOU CHANGE IS CHANGED AT ONCE.'}`,
      );
      console.error(
        'This shows numbers, addresses and keys of people: nothing of it belongs in tickets or chats. \\? for help.',
      );
      return await runInteractive(session);
    } finally {
      await session.close();
    }
  });
}

await endWith(run);
