import * as photos from '../../tests/support/photos.ts';
import { connectActs } from './acts.ts';
import { marketActs } from './marketActs.ts';
import { type Kills, storm, summary } from './storm.ts';
import type { Testbed } from './testbed.ts';

const args = process.argv.slice(2);
function number(name: string, otherwise: number): number {
  const at = args.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(args[at + 1]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} needs a number`);
  process.exit(2);
}

export type Opening = (
  undo: (() => Promise<unknown>)[],
  say: (text: string) => void,
) => Promise<Testbed>;

/** Splits the kills: a third for the server, a quarter for Postgres, the rest for backends. */
function shared(all: number, kill: Testbed['kill']): Kills {
  const [server, postgres] = [
    kill.server ? Math.round(all * 0.33) : 0,
    kill.postgres ? Math.round(all * 0.25) : 0,
  ];
  return { server, postgres, backend: all - server - postgres };
}

/**
 * A storm from the shell: `--kills 40 --writers 32`, at most `--minutes 5`, `--seed N` to repeat
 * one. Exits with 1 when a rule was broken or a write lost.
 */
export async function longRun(open: Opening): Promise<never> {
  const seed = number('seed', Math.floor(Math.random() * 2 ** 31));
  const [minutes, kills, writers] = [
    number('minutes', 5),
    number('kills', 40),
    number('writers', 32),
  ];
  const say = (text: string) => console.error(`· ${text}`);

  const undo: (() => Promise<unknown>)[] = [];
  let ending: Promise<void> | undefined;
  function end(): Promise<void> {
    ending ??= (async () => {
      for (const step of undo.reverse()) await step().catch((error) => console.error(error));
    })();
    return ending;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void end().then(() => process.exit(130)));

  let code = 1;
  try {
    say(`seed ${seed}`);
    const testbed = await open(undo, say);
    undo.push(() => testbed.stop());
    const acts = [...connectActs, ...marketActs(new Uint8Array(await photos.jpeg(60)))].filter(
      ({ name }) => name !== 'message' || testbed.heard,
    );
    const outcome = await storm(testbed, {
      acts,
      seed,
      seconds: minutes * 60,
      kills: shared(kills, testbed.kill),
      writers,
      listed: testbed.heard ? 80 : 0,
      say,
    });
    const { of, refusals, cutOff, violations, lost } = outcome;
    console.log(JSON.stringify({ seed, cutOff, of, refusals }, null, 2));
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
