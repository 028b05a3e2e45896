import { existsSync } from 'node:fs';
import { damagedAdvice, isDamage, postgresCode } from '../faults.ts';

/** The embedded Postgres could not be found, created, started or stopped. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** The database's files may be damaged; the remedy is a restore into a new one. */
export class DamagedDatabase extends EmbeddedPostgresError {
  override name = 'DamagedDatabase';
}

/** A live Postgres, or a process about to start one, has this folder. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`The database folder ${folder} is in use by process ${pid}.`);
  }
}

const advice: [RegExp, string][] = [
  [
    /No space left on device|Disk quota exceeded|Check free disk space/i,
    'The disk is full: free some space and start again. Nothing that was saved is lost.',
  ],
  [
    /incompatible with server/,
    'The folder was made by another major version of Postgres: move it away, or go back to the version that made it.',
  ],
  [
    /could not look up effective user ID/,
    'This account has no line in /etc/passwd, which initdb insists on: add one, or set DATABASE_URL to a Postgres of your own.',
  ],
  [
    /Cannot allocate memory|could not map anonymous shared memory/,
    'The machine has too little free memory for Postgres.',
  ],
  [
    /pre-existing shared memory block/,
    'Processes of a killed Postgres still hold this folder: end them, or restart the machine.',
  ],
  [
    /Permission denied|Operation not permitted|Read-only file system/i,
    'The account that runs Postgres may not read or write a file that is named above.',
  ],
];

const damage =
  /in control file|could not (?:open|read) (?:file|directory)|could not find the database system|required WAL directory|valid checkpoint record|required checkpoint record|status of transaction|invalid page in block|incorrect checksum|Input\/output error|PANIC:/;

const unknown =
  'If no setting of it was changed, the database may be damaged: docs/runbook/trouble.md#the-database-is-damaged says what to do.';

/**
 * Error for an existing database that does not start; refers to the runbook if no better advice is
 * known.
 */
export function startFailure(what: string, output: string): EmbeddedPostgresError {
  const plain = failure(what, output);
  if (advice.some(([words]) => words.test(plain.message))) return plain;
  return new DamagedDatabase(`${plain.message}\n${damage.test(output) ? damagedAdvice : unknown}`);
}

/** Error with the last lines of a failed program, and advice if they are known. */
export function failure(what: string, output: string, cause?: unknown): EmbeddedPostgresError {
  const said = output.trim().split('\n').slice(-15).join('\n');
  const hint = advice.find(([words]) => words.test(said))?.[1];
  return new EmbeddedPostgresError([what, said, hint].filter(Boolean).join('\n'), { cause });
}

/** Adds advice to file system errors and damaged files; returns other errors unchanged. */
export function explained(error: unknown, folder: string): unknown {
  if (isDamage(error))
    return new DamagedDatabase(
      `The database in ${folder} cannot be read.\n${(error as Error).message}\n${damagedAdvice}`,
      { cause: error },
    );
  // Its processes crash repeatedly during the first query.
  if (postgresCode(error) === '57P03')
    return new DamagedDatabase(
      `The database in ${folder} does not become ready.\n${(error as Error).message}\n${unknown}`,
      { cause: error },
    );
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error) || !('syscall' in error))
    return error;
  const what = `The database in ${folder} could not be started.`;
  if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') {
    const hint =
      'If an earlier start ran as another user, run as that user again; otherwise choose a folder that you may write.';
    return new EmbeddedPostgresError(`${what}\n${error.message}\n${hint}`, { cause: error });
  }
  return failure(what, error.message, error);
}

/** ENOENT for an existing program means that its loader is missing. */
export function notRunnable(program: string, error: unknown): never {
  const reason =
    codeOf(error) === 'ENOENT' && existsSync(program)
      ? 'It needs glibc, which this system (Alpine, perhaps) lacks. Set DATABASE_URL to a Postgres of your own.'
      : error instanceof Error
        ? error.message
        : '';
  throw new EmbeddedPostgresError(`${program} cannot be run. ${reason}`, { cause: error });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
