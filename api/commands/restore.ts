import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { clientOf } from '../../db/client.ts';
import { markOf } from '../backup/format.ts';
import { identitiesFrom, noteOpened } from '../backup/opened.ts';
import { openSource } from '../backup/places.ts';
import { restoreBackup, restoreSeconds, roomFor } from '../backup/restore.ts';
import { checkMarket } from '../check/check.ts';
import type { Ctx } from '../core/context.ts';
import { disksOf } from '../ops/disk.ts';
import { sharedSecret } from '../ops/secret.ts';
import { runCommand } from './command.ts';

/**
 * `bun run restore <file, s3://… or newest> [--replace or --set-aside] [--identity <file or ->]`
 * for a stopped market (docs/backup.md). --set-aside keeps the former embedded database unopened.
 */
async function begin() {
  const { values, positionals } = parseArgs({
    options: {
      replace: { type: 'boolean', default: false },
      'set-aside': { type: 'boolean', default: false },
      identity: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [wanted, ...others] = positionals;
  if (!wanted || others.length > 0)
    throw new Error(
      'Which backup? bun run restore <file, s3://… or newest> [--replace | --set-aside] [--identity <file or ->]',
    );
  // An interrupted attempt may have left rows.
  const replace = values.replace || values['set-aside'];
  const identities = await identitiesFrom(values.identity);
  return async (ctx: Ctx): Promise<number> => {
    const { env, storage } = ctx.services;
    const source = await openSource(env, wanted, ctx.now());
    const tight = roomFor((await stat(source.file)).size, await disksOf(env));
    if (tight) console.log(tight);
    const place = { client: clientOf(ctx.db), storage, key: env.BACKUP_KEY, identities };
    const { manifest, rows, photos, note } = await restoreBackup(place, source.file, { replace })
      .then(async (restored) => ({
        ...restored,
        note: await noteOpened(source, restored.manifest, env.BACKUP_KEY, ctx.now()),
      }))
      .finally(() => source.done());
    if (note) console.log(note);
    console.log(
      `Restored as of ${manifest.madeAt}: ${rows} rows, ${photos} files of photos. Everybody is signed out.`,
    );
    for (const key of manifest.files.missing)
      console.log(`Was not in the storage when it was copied: ${key}`);
    if (markOf(await sharedSecret(ctx.db, env.AUTH_SECRET, ctx.now())) !== manifest.secretMark)
      console.log(
        'AUTH_SECRET is another one than it was: second factors, and the addresses of chats, cannot be opened with it. Set the one from before.',
      );
    const { checks, wrong } = await checkMarket(ctx);
    console.log(
      `${checks} checks, ${wrong.length} wrong${wrong.length > 0 ? `: ${wrong.map(({ name }) => name).join(', ')}; see bun run check` : ''}`,
    );
    return wrong.length > 0 ? 1 : 0;
  };
}

await runCommand(begin, {
  asItIs: true,
  alone: true,
  // Conflicts are refused in `begin`, before the database is opened.
  setAside: process.argv.includes('--set-aside'),
  statementSeconds: restoreSeconds,
  whenDamaged:
    'To restore into a new database, and keep this one beside it: bun run restore <file> --set-aside',
});
