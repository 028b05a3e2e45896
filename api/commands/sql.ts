import { parseArgs } from 'node:util';
import { forJobs, openOne } from '../../db/client.ts';
import { readEnv } from '../ops/env.ts';
import { atDatabase, endWith } from './command.ts';

/**
 * `bun run sql`: runs one statement and prints its rows (docs/runbook.md), read-only without
 * --write (decision 052). Exits with 1 after an error.
 */
const usage = 'bun run sql [--write] "select …", or the statement on standard input';

type Cell = string | null;
type Raw = { columns?: { name: string }[]; command?: string; count?: number | null };
type Running = PromiseLike<Raw> & {
  raw(): Running;
  forEach(row: (row: (Uint8Array | null)[]) => void): Running;
  cancel(): unknown;
};

/** One line without characters that a terminal obeys: product names come from strangers. */
const harmless = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, (char) =>
    char === '\n' ? '\\n' : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );

function table(columns: readonly { name: string }[], rows: readonly Cell[][]): string {
  const names = columns.map(({ name }) => harmless(name));
  const cells = rows.map((row) => row.map((value) => (value === null ? 'NULL' : harmless(value))));
  const widths = names.map((name, n) =>
    cells.reduce(
      (most, row) => Math.max(most, Bun.stringWidth(row[n] ?? '')),
      Bun.stringWidth(name),
    ),
  );
  const padded = (cell: string, n: number) =>
    cell + ' '.repeat((widths[n] ?? 0) - Bun.stringWidth(cell));
  const line = (row: readonly string[]) => ` ${row.map(padded).join(' | ')}`.trimEnd();
  return [
    line(names),
    widths.map((width) => '-'.repeat(width + 2)).join('+'),
    ...cells.map(line),
    `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
  ].join('\n');
}

async function run(): Promise<number> {
  const options = {
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const sql = positionals.join(' ') || (process.stdin.isTTY ? '' : await Bun.stdin.text());
  if (values.help || sql.trim() === '') {
    console.log(usage);
    return values.help ? 0 : 1;
  }
  // COPY … TO writes files of the server in a read-only transaction too.
  if (/^\s*copy\b/i.test(sql))
    throw new Error('COPY is not for this command. Use psql, or bun run backup.');
  const env = readEnv(process.env);
  return atDatabase(env, { asItIs: true }, async (target) => {
    const onnotice = ({ severity, message }: { severity?: string; message?: string }) =>
      console.error(`${severity ?? 'NOTICE'}: ${harmless(message ?? '')}`);
    const client = openOne(
      env.DATABASE_DIRECT_URL ?? target,
      { ...forJobs, readOnly: !values.write },
      { prepare: false, fetch_types: false, onnotice },
    );
    try {
      // A failing statement may contain phone numbers; keeps it out of the server's log.
      await client.unsafe('set log_min_error_statement = panic').catch(() => {});
      const rows: Cell[][] = [];
      // The extended protocol takes one statement only.
      const query = (client.unsafe(sql, [], { simple: false } as never) as unknown as Running)
        .raw()
        .forEach((row) => {
          rows.push(row.map((value) => value && Buffer.from(value).toString('utf8')));
        });
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => query.cancel());
      const { columns = [], command = '', count } = await query;
      const said =
        columns.length > 0 ? table(columns, rows) : `${command} ${count ?? ''}`.trimEnd();
      await Bun.write(Bun.stdout, `${said}\n`);
      return 0;
    } catch (error) {
      const { message, code, detail, hint } = error as Error & Record<string, string | undefined>;
      console.error(harmless([`${message} (${code})`, detail, hint].filter(Boolean).join('. ')));
      return 1;
    } finally {
      await client.end({ timeout: 2 });
    }
  });
}

await endWith(run);
