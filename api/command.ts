import { join, resolve } from 'node:path';
import { connect, forJobs, migrateDatabase } from '../db/client.ts';
import { DataFolderInUse, lockDataFolder } from '../db/datafolder.ts';
import { existingCluster } from '../db/embedded/place.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { translator } from '../locales/index.ts';
import type { Ctx } from './core/context.ts';
import { readEnv } from './core/env.ts';
import { Refusal } from './core/errors.ts';
import { redact } from './core/redact.ts';
import { demoContext } from './demo/context.ts';
import { sharedSecret } from './secret.ts';
import { createServices } from './services.ts';

/** What a command does, as the market itself; answers the code that the process ends with. */
export type Work = (ctx: Ctx) => Promise<number>;

type Options = {
  /** The database is taken as it is, and nothing is written to it: neither migrations nor a secret. One that does not exist yet is refused. */
  asItIs?: boolean;
  /** Nobody else may be in the data folder, and a database that does not exist yet is made. */
  alone?: boolean;
  /** Seconds that one statement may take; as long as one of a job unless told. */
  statementSeconds?: number;
};

/**
 * Runs a command of the shell on the database of the environment, beside a running market or alone, at its newest schema. Ends the process: with the
 * work's code, or with 1 and the reason.
 * @param begin judges what was asked for, before anything is opened
 */
export async function runCommand(begin: () => Work | Promise<Work>, options: Options = {}): Promise<never> {
  try {
    process.exit(await inDatabase(await begin(), options));
  } catch (error) {
    console.error(redact(sentenceOf(error)));
    process.exit(1);
  }
}

/** A refusal's message is its code: the person at the terminal gets the sentence, and the cause. */
function sentenceOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof Refusal)) return error.message;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${translator('en', 'errors')(error.code, error.params)}${cause}`;
}

async function inDatabase(work: Work, { asItIs, alone, statementSeconds = forJobs.statementSeconds }: Options): Promise<number> {
  const env = readEnv(process.env);
  const now = () => new Date();
  const folder = resolve(env.DATA_DIR);
  if (asItIs && !alone && !env.DATABASE_URL && !existingCluster(join(folder, 'postgres'))) throw new Error(`There is no market in ${folder}.`);
  const lock = await lockDataFolder(folder, { embedded: !env.DATABASE_URL }).catch((error) => {
    if (error instanceof DataFolderInUse && !alone) return undefined;
    throw error;
  });
  const embedded = env.DATABASE_URL ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const target = env.DATABASE_URL ?? embedded?.connect() ?? '';
  const direct = env.DATABASE_DIRECT_URL;
  if (!asItIs) await migrateDatabase(direct ?? target, env.DATABASE_URL ? 'at DATABASE_URL' : `in ${folder}`);
  const database = connect(target, { ...forJobs, max: 2, statementSeconds, direct });
  try {
    const services = createServices(env, asItIs ? (env.AUTH_SECRET ?? '') : await sharedSecret(database.db, env.AUTH_SECRET, now()));
    return await work(demoContext({ db: database.db, services, now }));
  } finally {
    await database.close();
    // The database of a running market is shared, and left running; one that had to be started here is stopped again.
    if (lock) await embedded?.stop();
    await lock?.release();
  }
}
