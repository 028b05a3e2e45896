/** Whether Postgres broke a deadlock or a serialization conflict by ending this transaction: it may simply be run again. */
export function isTransient(error: unknown): boolean {
  const code = postgresCode(error);
  return code === '40P01' || code === '40001';
}

/** The SQLSTATE of a database error, through drizzle's wrapping. */
export function postgresCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.name === 'PostgresError' && 'code' in e) return String(e.code);
  return undefined;
}

/** The constraint that a database error names, through drizzle's wrapping. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.name === 'PostgresError' && 'constraint_name' in e) return String(e.constraint_name);
  return undefined;
}

/** Advice for a database whose files are damaged, wherever an operator reads of one. */
export const damagedAdvice =
  'The files of the database are damaged. Delete nothing: docs/runbook.md#the-database-is-damaged says what to do, in order.';

/** Corrupted table, corrupted index, missing file, failed read of the disk. */
const corrupted = new Set(['XX001', 'XX002', '58P01', '58030']);

/** Tells if Postgres reports damaged files, through drizzle's wrapping. */
export function isDamage(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name !== 'PostgresError' || !('code' in e)) continue;
    // A library that is not installed has the same code.
    if (corrupted.has(String(e.code))) return !e.message.includes('$libdir');
    return e.code === '3D000' && 'detail' in e && String(e.detail).includes('is missing');
  }
  return false;
}

/** The connection was never made, or Postgres itself undid the statement: nothing of it was kept. */
const refused = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
]);
/** Too many connections, no room on its disk, starting up, a statement past its time, a lock not given in time. */
const undone = /^(53300|53100|57P03|57014|55P03)$/;
/** The connection ended in between: a commit that was under way may have been kept. */
const cut = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_SILENT',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
]);
/** Ended by an administrator, by a crash of another backend, by its time limit; class 08 is "connection exception". */
const ended = /^(57P01|57P02|57P05|25P03|08...)$/;

/**
 * Whether an error says that the database is away, through drizzle's wrapping: `refused` when nothing of what was asked was kept, `cut` when
 * that cannot be known, nothing when the error is another one.
 */
export function outageOf(error: unknown): 'refused' | 'cut' | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'TransactionLost') return 'cut';
    const code = 'code' in e ? String(e.code) : '';
    // postgres.js notes the query on what it throws: a mail server or a bucket that is away is not meant.
    if (!('query' in e || e.name === 'PostgresError' || code.startsWith('CONNECT'))) continue;
    if (refused.has(code) || undone.test(code)) return 'refused';
    if (cut.has(code) || ended.test(code)) return 'cut';
  }
  return undefined;
}
