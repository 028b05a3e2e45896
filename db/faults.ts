/** True for a deadlock or serialization failure; the transaction can be run again. */
export function isTransient(error: unknown): boolean {
  const code = postgresCode(error);
  return code === '40P01' || code === '40001';
}

/** SQLSTATE of a database error, also inside drizzle's wrapper. */
export function postgresCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.name === 'PostgresError' && 'code' in e) return String(e.code);
  return undefined;
}

export function violatedConstraint(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.name === 'PostgresError' && 'constraint_name' in e) return String(e.constraint_name);
  return undefined;
}

export const damagedAdvice =
  'The files of the database are damaged. Delete nothing: docs/runbook/trouble.md#the-database-is-damaged says what to do, in order.';

/** Corrupted table, corrupted index, missing file, disk read error. */
const corrupted = new Set(['XX001', 'XX002', '58P01', '58030']);

/** True if Postgres reports damaged files. */
export function isDamage(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name !== 'PostgresError' || !('code' in e)) continue;
    // A missing library has the same code.
    if (corrupted.has(String(e.code))) return !e.message.includes('$libdir');
    return e.code === '3D000' && 'detail' in e && String(e.detail).includes('is missing');
  }
  return false;
}

/** No connection: no change was kept. */
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
/** Too many connections, disk full, starting up, statement timeout, lock timeout. */
const undone = /^(53300|53100|57P03|57014|55P03)$/;
/** Connection lost: a commit under way may have been kept. */
const cut = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_SILENT',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
]);
/**
 * Ended by an administrator, another backend's crash or a timeout; class 08 is "connection
 * exception".
 */
const ended = /^(57P01|57P02|57P05|25P03|08...)$/;

/**
 * Classifies an unavailable database: `refused` if no change was kept, `cut` if that is unknown,
 * undefined for other errors.
 */
export function outageOf(error: unknown): 'refused' | 'cut' | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'TransactionLost') return 'cut';
    const code = 'code' in e ? String(e.code) : '';
    // postgres.js adds the query to its errors; an unavailable mail server or bucket has none.
    if (!('query' in e || e.name === 'PostgresError' || code.startsWith('CONNECT'))) continue;
    if (refused.has(code) || undone.test(code)) return 'refused';
    if (cut.has(code) || ended.test(code)) return 'cut';
  }
  return undefined;
}
