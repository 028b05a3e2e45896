import { buildSite } from '../api/pages/build.ts';
import { mayMount, packages, pathOf } from '../dev/programs.ts';
import { proofs } from './proofs/list.ts';
import { runVitest } from './support/vitest.ts';

/**
 * `bun run proofs [name…] [--long]`: what needs other programs, breaks disks or searches for rare
 * things. Ends with `N held, N failed, N left out`; `--long` runs the longer forms.
 */
const given = process.argv.slice(2);
const names = given.filter((word) => !word.startsWith('--'));
const unknown = given.filter((word) => word !== '--long' && !(word in proofs));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: no such proof. There are ${Object.keys(proofs).join(', ')}.`,
  );
  process.exit(1);
}

const programs = (Object.keys(packages) as (keyof typeof packages)[]).map((name) => ({
  name,
  path: pathOf(name),
}));
const found = new Set(programs.flatMap(({ name, path }) => (path ? [name] : [])));
const mounts = found.has('unshare') && mayMount();
console.log(
  `Found: ${programs.flatMap(({ path }) => path ?? []).join(', ')}; mounting a disk is ${mounts ? 'allowed' : 'not allowed'}.`,
);

const asked = Object.entries(proofs).filter(([name]) => names.length === 0 || names.includes(name));
const missing = asked.map(([name, proof]) => ({
  name,
  programs: (proof.needs ?? []).filter((program) => !found.has(program)),
  disk: proof.mounts && !mounts,
}));
const leftOut = missing.filter(({ programs, disk }) => programs.length > 0 || disk);
for (const { name, programs, disk } of leftOut)
  console.log(
    `Left out: ${name} (needs ${[...programs, ...(disk ? ['the right to mount a disk'] : [])].join(', ')})`,
  );
const wanted = new Set(leftOut.flatMap(({ programs }) => programs.map((name) => packages[name])));
if (wanted.size > 0)
  console.log(`To add them: apt-get install --no-install-recommends ${[...wanted].join(' ')}`);

const files = asked
  .filter(([name]) => !leftOut.some((one) => one.name === name))
  .map(([name]) => `tests/proofs/${name}.test.ts`);
let held = 0;
let failed = 0;
if (files.length > 0) {
  await buildSite();
  const report = await runVitest(['proofs'], files, given.includes('--long') ? { LONG: '1' } : {});
  for (const file of files) {
    if (report.files[file]?.passed) held++;
    else {
      failed++;
      console.log(`Failed: ${file}`);
    }
  }
  if (failed === 0 && report.failed > 0) {
    failed++;
    console.log('Failed: an error outside of the files, see above');
  }
  for (const name of report.skipped) console.log(`Left out: ${name}`);
}
console.log(`${held} held, ${failed} failed, ${leftOut.length} left out`);
process.exit(failed === 0 ? 0 : 1);
