import { join, resolve } from 'node:path';
import {
  connect,
  damagedAdvice,
  forJobs,
  isDamage,
  migrateDatabase,
  type Target,
} from '../../db/client.ts';
import { DataFolderInUse, lockDataFolder } from '../../db/datafolder.ts';
import { existingCluster } from '../../db/embedded/clusterFolder.ts';
import { startReplacement } from '../../db/embedded/replacement.ts';
import { DamagedDatabase, startEmbeddedPostgres } from '../../db/embedded.ts';
import { translator } from '../../locales/index.ts';
import type { Ctx } from '../core/context.ts';
import { demoContext } from '../demo/context.ts';
import { type Env, readEnv } from '../ops/env.ts';
import { sharedSecret } from '../ops/secret.ts';
import { createServices } from '../services.ts';
import { loadBranding } from '../settings/branding.ts';
import { Refusal } from '../shared/errors.ts';
import { redact } from '../shared/redact.ts';

/** Acts as the market; answers the exit code. */
export type Work = (ctx: Ctx) => Promise<number>;

type Opening = {
  /** No migrations, no new secret; refuses a missing database. */
  asItIs?: boolean;
  /** Requires the data folder for itself, and creates a missing database. */
  alone?: boolean;
  /**
   * Works in a new embedded database, which then replaces the old one; that may be damaged and is
   * kept.
   */
  setAside?: boolean;
};

type Options = Opening & {
  whenDamaged?: string;
  /** Default: the limit of jobs. */
  statementSeconds?: number;
};

/**
 * Runs a command on the environment's database, migrated, beside a running market or alone. Ends
 * the process with the work's code, or with 1 and the reason.
 *
 * @param begin validates the arguments before anything is opened
 */
export function runCommand(
  begin: () => Work | Promise<Work>,
  options: Options = {},
): Promise<never> {
  return endWith(async () => inDatabase(await begin(), options), options.whenDamaged);
}

/** Ends the process with the code of `run`, or with 1 and the reason. */
export async function endWith(run: () => Promise<number>, whenDamaged?: string): Promise<never> {
  try {
    process.exit(await run());
  } catch (error) {
    console.error(redact(sentenceOf(error)));
    if (isDamage(error)) console.error(damagedAdvice);
    if (whenDamaged && (isDamage(error) || error instanceof DamagedDatabase))
      console.error(whenDamaged);
    process.exit(1);
  }
}

/** A refusal's message is only its code. */
function sentenceOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof Refusal)) return error.message;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${translator('en', 'errors')(error.code, error.params)}${cause}`;
}

async function inDatabase(
  work: Work,
  { statementSeconds = forJobs.statementSeconds, ...opening }: Options,
): Promise<number> {
  const env = readEnv(process.env);
  const now = () => new Date();
  return atDatabase(env, opening, async (target) => {
    const direct = env.DATABASE_DIRECT_URL;
    if (!opening.asItIs)
      await migrateDatabase(
        direct ?? target,
        env.DATABASE_URL ? 'at DATABASE_URL' : `in ${resolve(env.DATA_DIR)}`,
      );
    const database = connect(target, { ...forJobs, max: 2, statementSeconds, direct });
    try {
      if (!opening.asItIs) await loadBranding(database);
      const services = createServices(
        env,
        opening.asItIs
          ? (env.AUTH_SECRET ?? '')
          : await sharedSecret(database.db, env.AUTH_SECRET, now()),
      );
      return await work(demoContext({ db: database.db, services, now }));
    } finally {
      await database.close();
    }
  });
}

/**
 * Shares the embedded database of a running market and leaves it running; stops one that it had to
 * start.
 */
export async function atDatabase<T>(
  env: Env,
  { asItIs, alone, setAside }: Opening,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const folder = resolve(env.DATA_DIR);
  const cluster = join(folder, 'postgres');
  if (setAside && env.DATABASE_URL)
    throw new Error(
      '--set-aside is for the embedded database. Make a new, empty database on your server, set DATABASE_URL to it, and restore without it.',
    );
  if (asItIs && !alone && !env.DATABASE_URL && !existingCluster(cluster))
    throw new Error(`There is no market in ${folder}.`);
  const lock = await lockDataFolder(folder, { embedded: !env.DATABASE_URL }).catch((error) => {
    if (error instanceof DataFolderInUse && !alone) return undefined;
    throw error;
  });
  try {
    if (env.DATABASE_URL) return await work(env.DATABASE_URL);
    const replacement = setAside ? await startReplacement(cluster) : undefined;
    const embedded = replacement?.server ?? (await startEmbeddedPostgres({ folder: cluster }));
    const done = await work(embedded.connect()).finally(() => lock && embedded.stop());
    const aside = await replacement?.takePlace(new Date());
    if (aside)
      console.error(`The former database is kept in ${aside}. Delete it when all is well.`);
    return done;
  } finally {
    await lock?.release();
  }
}
