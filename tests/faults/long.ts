import type { TestProject } from 'vitest/node';
import type { Target } from '../../db/client.ts';
import setup, { inDatabase, type TestServer } from '../support/global.ts';
import { connectActs } from './acts.ts';
import type { Place } from './place.ts';
import { storm, summary } from './storm.ts';

const args = process.argv.slice(2);
function number(name: string, otherwise: number): number {
  const at = args.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(args[at + 1]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} needs a number`);
  process.exit(2);
}

export type Opening = (target: Target, undo: (() => Promise<unknown>)[], say: (text: string) => void) => Promise<Place>;

/**
 * A storm from the shell: `--minutes 5 --kills 40 --writers 16`, `--seed N` to throw the same dice again. Ends the process, with 1 when a rule was broken
 * or a write lost.
 */
export async function longRun(open: Opening): Promise<never> {
  const seed = number('seed', Math.floor(Math.random() * 2 ** 31));
  const [minutes, kills, writers] = [number('minutes', 1), number('kills', 8), number('writers', 16)];
  const say = (text: string) => console.error(`· ${text}`);

  const undo: (() => Promise<unknown>)[] = [];
  let ending: Promise<void> | undefined;
  function end(): Promise<void> {
    ending ??= (async () => {
      for (const step of undo.reverse()) await step().catch((error) => console.error(error));
    })();
    return ending;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end().then(() => process.exit(130)));

  let code = 1;
  try {
    say(`seed ${seed}`);
    let server: TestServer | undefined;
    const provide = (_: string, given: TestServer) => {
      server = given;
    };
    undo.push(await setup({ provide } as unknown as TestProject));
    if (!server) throw new Error('There is no database server');
    const place = await open(inDatabase(server.target, server.template), undo, say);
    undo.push(() => place.stop());
    const outcome = await storm(place, { acts: connectActs, seed, seconds: minutes * 60, kills, writers, say });
    const { of, refusals, ended, cutOff, violations, lost } = outcome;
    console.log(JSON.stringify({ seed, ended, cutOff, of, refusals }, null, 2));
    for (const text of violations) console.log(`violation: ${text}`);
    for (const text of lost) console.log(`lost: ${text}`);
    console.log(summary(outcome));
    code = violations.length + lost.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error);
  } finally {
    await end();
  }
  process.exit(code);
}
