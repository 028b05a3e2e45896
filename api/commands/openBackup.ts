import { parseArgs } from 'node:util';
import { identitiesFrom, noteOpened } from '../backup/opened.ts';
import { openSource } from '../backup/places.ts';
import { verifyBackup } from '../backup/read.ts';
import { readEnv } from '../ops/env.ts';
import { redact } from '../shared/redact.ts';

/**
 * `bun run backup:open <backup> [--identity <file or ->]`: the quarterly drill on an operator's
 * machine. Verifies a backup and leaves a note for System Health; needs no database.
 */
async function openBackup(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { identity: { type: 'string' } },
    allowPositionals: true,
  });
  const [wanted, ...others] = positionals;
  if (!wanted || others.length > 0)
    throw new Error(
      'Which backup? bun run backup:open <file, s3://… or newest> [--identity <file or ->]',
    );
  const env = readEnv(process.env);
  const identities = await identitiesFrom(values.identity);
  const source = await openSource(env, wanted, new Date());
  try {
    const manifest = await verifyBackup(source.file, env.BACKUP_KEY, identities);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${source.name} is whole: of ${manifest.madeAt}, ${rows} rows, ${manifest.files.count} files of photos.`,
    );
    console.log(
      env.BACKUP_KEY
        ? 'It was signed with your BACKUP_KEY.'
        : 'BACKUP_KEY is not set: who made it is not known.',
    );
    const problem = await noteOpened(source, manifest, env.BACKUP_KEY, new Date());
    if (problem) console.log(problem);
  } finally {
    await source.done();
  }
}

await openBackup().then(
  () => process.exit(0),
  (error) => {
    console.error(redact(error instanceof Error ? error.message : error));
    process.exit(1);
  },
);
