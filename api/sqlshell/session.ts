import { openOne, type Target } from '../../db/client.ts';

export type Column = { name: string; type: number };
/** Postgres's text; NULL is null. `count` exceeds `rows` when not all were kept. */
export type Result = {
  columns: Column[];
  rows: (string | null)[][];
  count: number | undefined;
  tag: string;
  milliseconds: number;
};

/** A statement that the shell refuses; the message says why. */
export class NotRun extends Error {
  override name = 'NotRun';
}

type Options = {
  write: boolean;
  statementSeconds: number;
  idleTransactionSeconds: number;
  notice: (line: string) => void;
};

type Raw = { columns?: Column[]; command?: string; count?: number | null };
type Running = PromiseLike<Raw> & {
  raw(): Running;
  forEach(row: (row: (Uint8Array | null)[]) => void): Running;
  cancel(): unknown;
};

export type Session = Awaited<ReturnType<typeof openSession>>;

/**
 * Without `write`, each transaction begins read-only, even after a reconnect; this prevents slips,
 * not intent.
 */
export async function openSession(target: Target, { write, notice, ...limits }: Options) {
  let running: Running | undefined;
  let began = false;
  let lost = false;
  const client = openOne(
    target,
    { ...limits, readOnly: !write },
    {
      prepare: false,
      fetch_types: false,
      onnotice: ({ severity, message }: { severity?: string; message?: string }) =>
        notice(`${severity ?? 'NOTICE'}: ${message ?? ''}`),
      onclose: () => {
        lost = began;
        began = false;
      },
    },
  );

  async function run(sql: string, keep = Number.POSITIVE_INFINITY): Promise<Result> {
    // COPY needs a protocol that only psql speaks, and COPY … TO writes files even in read-only
    // mode.
    if (firstWord(sql) === 'copy')
      throw new NotRun(
        'COPY is not for this shell. bun run backup copies the market; psql copies tables of a server of your own.',
      );
    if (lost) {
      lost = false;
      throw new NotRun(
        'The connection was lost, and its transaction with it: nothing of that was kept. This statement was not run.',
      );
    }
    const rows: (string | null)[][] = [];
    const since = performance.now();
    const query = (client.unsafe(sql) as unknown as Running).raw().forEach((row) => {
      if (rows.length < keep)
        rows.push(
          row.map((value) => (value === null ? null : Buffer.from(value).toString('utf8'))),
        );
    });
    running = query;
    try {
      const { columns = [], command = '', count } = await query;
      const milliseconds = performance.now() - since;
      followTransaction(command, sql);
      return {
        columns: columns.map(({ name, type }) => ({ name, type })),
        rows,
        count: count ?? undefined,
        tag: command,
        milliseconds,
      };
    } finally {
      running = undefined;
    }
  }

  function followTransaction(command: string, sql: string): void {
    if (/^(?:BEGIN|START TRANSACTION|START)$/.test(command)) began = true;
    else if (command === 'COMMIT' || (command === 'ROLLBACK' && !/\bto\b/i.test(sql)))
      began = false;
  }

  const { rows } = await run(
    `select current_database(), current_setting('server_version'), current_setting('default_transaction_read_only')`,
  );
  const [database = '', version = '', readOnly = ''] = (rows[0] ?? []).map(String);
  // Failing statements may contain phone numbers and would be in the server's log. Needs a
  // superuser.
  await run('set log_min_error_statement = panic').catch(() => {});

  return {
    database,
    version,
    readOnly: readOnly === 'on',
    get inTransaction(): boolean {
      return began;
    },
    get busy(): boolean {
      return running !== undefined;
    },
    run,
    /** Ends the running statement, which then fails with 57014. */
    cancel(): void {
      void Promise.resolve(running?.cancel()).catch(() => {});
    },
    close: () => client.end({ timeout: 2 }),
  };
}

function firstWord(sql: string): string {
  let rest = sql.trimStart();
  while (rest.startsWith('--') || rest.startsWith('/*')) {
    const [end, length] = rest.startsWith('--') ? [rest.indexOf('\n'), 1] : [rest.indexOf('*/'), 2];
    rest = end < 0 ? '' : rest.slice(end + length).trimStart();
  }
  return /^\w*/.exec(rest)?.[0].toLowerCase() ?? '';
}
