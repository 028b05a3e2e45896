import '../../tests/support/apart.ts';
import { buildSite } from '../../api/pages/build.ts';
import { source } from '../../tests/support/processes.ts';
import { onEnd, options, program, say } from '../testbed/program.ts';
import { ownCluster } from '../testbed/server.ts';
import { fuzz, outcomeInWords } from './fuzz.ts';
import { openTestbed } from './testbed.ts';
import { answerLines } from './writeAnswers.ts';

/**
 * `bun run fuzz`: sends mostly invalid requests for everything that a separate server offers, and
 * prints the outcome. `--requests 100000` for the long form, `--seed N` to repeat a run, `--only N`
 * for one of its requests. Exits with 1 on findings. `--answers` only rewrites the types by which
 * answers are judged.
 */
const given = options({ requests: 5000, concurrency: 6, seed: 0, only: -1, answers: false });
const { concurrency, only } = given;
const seed = given.seed || Math.floor(Math.random() * 2 ** 31);

await program(async () => {
  if (given.answers) {
    await Bun.write(source('dev/fuzz/answers.jsonl'), `${answerLines().join('\n')}\n`);
    return true;
  }
  say(`seed ${seed}`);
  await buildSite();
  const testbed = await openTestbed((await ownCluster()).target);
  onEnd(() => testbed.stop());
  const outcome = await fuzz(testbed, {
    ...{ requests: Math.max(given.requests, only + 1), seed, concurrency, say },
    ...(only < 0 ? {} : { only }),
  });
  console.log(outcomeInWords(outcome));
  return outcome.findings.length + outcome.after.length === 0;
});
