import '../../tests/support/apart.ts';
import { buildSite } from '../../api/pages/build.ts';
import { source } from '../../tests/support/processes.ts';
import { fuzz, table } from './fuzz.ts';
import { openOwnPlace } from './own.ts';
import { answerLines } from './writeAnswers.ts';

/**
 * `bun run fuzz`: sends mostly invalid requests for everything that a separate server offers, and
 * prints the outcome. `--requests 100000` for the long form, `--seed N` to repeat a run, `--only N`
 * for one of its requests. Exits with 1 on findings. `--answers` only rewrites the types by which
 * answers are judged.
 */
const args = process.argv.slice(2);
if (args.includes('--answers')) {
  await Bun.write(source('dev/fuzz/answers.jsonl'), `${answerLines().join('\n')}\n`);
  process.exit(0);
}
function number(name: string, otherwise: number | undefined): number | undefined {
  const at = args.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(args[at + 1]);
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  console.error(`--${name} needs a whole number`);
  process.exit(2);
}
const only = number('only', undefined);
const seed = number('seed', undefined) ?? Math.floor(Math.random() * 2 ** 31);
const requests = Math.max(number('requests', 5000) ?? 5000, (only ?? 0) + 1);
const concurrency = number('concurrency', 6) ?? 6;

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
  console.error(`· seed ${seed}`);
  await buildSite();
  const place = await openOwnPlace(undo);
  const outcome = await fuzz(place, {
    requests,
    seed,
    concurrency,
    ...(only === undefined ? {} : { only }),
    say: (text) => console.error(`· ${text}`),
  });
  console.log(table(outcome));
  code = outcome.findings.length + outcome.after.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
} finally {
  await end();
}
process.exit(code);
