import { parseArgs } from 'node:util';

type Step = () => unknown;
const steps: Step[] = [];
let ending: Promise<void> | undefined;

/** Registers a cleanup step for any end of the program; last in, first out. */
export const onEnd = (step: Step): void => void steps.push(step);

/** Runs every cleanup step, once. */
function end(): Promise<void> {
  ending ??= undone(steps);
  return ending;
}

/** Runs cleanup steps, the last one first; a step that fails stops no other. */
export async function undone(all: Step[]): Promise<void> {
  for (let step = all.pop(); step; step = all.pop())
    try {
      await step();
    } catch (error) {
      console.error(error);
    }
}

/** Prints progress to the error output. */
export const say = (text: string): void => console.error(`· ${text}`);

/**
 * Reads `--name value` and `--flag` by the types of their defaults. Ends the program with code 2
 * when an option is unknown or no number.
 */
export function options<T extends Record<string, number | string | boolean>>(defaults: T): T {
  try {
    const { values } = parseArgs({
      options: Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [
          name,
          { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    });
    return Object.fromEntries(
      Object.entries(defaults).map(([name, otherwise]) => {
        const given = values[name] ?? otherwise;
        if (typeof otherwise !== 'number' || given === otherwise) return [name, given];
        const value = Number(given);
        if (!(value >= 0 && value < Infinity)) throw new Error(`--${name} needs a number`);
        return [name, value];
      }),
    ) as T;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

/** Runs a program and its cleanup. Ends with code 0 when all held, else 1, and with 130 on a signal. */
export async function program(main: () => Promise<boolean>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void end().then(() => process.exit(130)));
  const held = await main().catch((error) => void console.error(error));
  await end();
  process.exit(held ? 0 : 1);
}
