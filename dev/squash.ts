import '../tests/support/apart.ts';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { apply } from '../db/forward.ts';
import { formerSteps, migrationsFolder, type Step } from '../db/migrated.ts';
import { type Catalog, catalogOf } from '../tests/support/catalog.ts';
import { source } from '../tests/support/processes.ts';
import recorded from './migrations.json' with { type: 'json' };
import { recordMigrations } from './release.ts';

/**
 * `bun dev/squash.ts`: writes the first migration from db/schema and from the hand-written
 * statements of db/history that still hold (decision 068). Exits with 1 unless it makes the same
 * schema as db/history. Only before the first release.
 */
const breakpoint = '--> statement-breakpoint';
const bare = (statement: string) => statement.replace(/^(?:--[^\n]*\n|\s+)+/, '');

/** Comments of the first migration; those of the history speak of changes. */
const comments: Record<string, string> = {
  'rows slots': 'Slots 1-54 exist from the start. They can be neither deleted nor renumbered.',
  'trigger products_announce products':
    'Announcements for open pages and stored HTML, only for columns that pages show.',
  'function announce': 'The payload is the kind, a colon and the id. Postgres folds equal ones.',
  'trigger products_renumbered products':
    'The badge depends on the number of the listing. The payload holds no number.',
  'function announce_edit':
    'For lists of admins: `pending` waits for review, `person` is a seller.',
  'trigger products_reconsidered products':
    'A pending product that is corrected, withdrawn or removed keeps its status.',
  'function announce_access': 'Every process ends the streams of a lost session or admin role.',
  'function check_product_place':
    'An approved product with an open listing is in exactly one of queue and slot, others in neither\n' +
    '-- (decision 031). Checked at commit; the row lock orders transactions that place one product.',
  'index products_incomplete_idx':
    'The same condition as in api/products/integrity/integrity.ts, word for word; a test compares them.',
  'function keep_fees':
    'The fees of a deleted product stay, with the account id and without a name.',
  'trigger audit_log_append_only audit_log':
    'The audit log only grows. A transaction that forgets a person may empty texts, nothing else.',
  'trigger credit_entries_append_only credit_entries':
    'Ledger and purchases only grow (decision 042); accounts stay when their person is gone.',
  'function keep_credit_account': "Only the ledger's trigger writes count, balance and head.",
  'function append_credit_entry':
    'Each entry follows the one before. The lock on the account orders the entries of a member.',
  'function check_purchase_credited': 'At commit, exactly the completed purchases have an entry.',
  'function search_query': 'The search in English, French and plain forms (api/shared/search.ts).',
  'function require_spend': 'At commit, each post, response and update has its spend.',
  'trigger queue_entries_append_only queue_entries': "The queue's log only grows (decision 056).",
  'function refuse_unlogged': 'Only entries of the log change who waits where.',
  'function cash_reference_key': 'Key of a cash reference, however it is typed (decision 060).',
};

/** Kind and name of the object that a hand-written statement makes. */
function objectOf(statement: string): string | undefined {
  const text = bare(statement);
  const [, made] = /^CREATE (?:OR REPLACE )?FUNCTION "?(\w+)"?\(/.exec(text) ?? [];
  if (made) return `function ${made}`;
  const [, trigger, table] =
    /^CREATE (?:CONSTRAINT )?TRIGGER "?(\w+)"? [^;]*? ON "?(\w+)"?/.exec(text) ?? [];
  if (trigger) return `trigger ${trigger} ${table}`;
  const [, index] = /^CREATE (?:UNIQUE )?INDEX "?(\w+)"?/.exec(text) ?? [];
  if (index) return `index ${index}`;
  const [, filled] = /^INSERT INTO "?(\w+)"?/.exec(text) ?? [];
  if (filled) return `rows ${filled}`;
  return /^DO \$/.test(text) ? `block ${text}` : undefined;
}

const namesOf = async (sql: Sql): Promise<Set<string>> =>
  new Set(
    (
      await sql<{ name: string }[]>`
      select 'function ' || proname as name from pg_proc where pronamespace = 'public'::regnamespace
      union select 'trigger ' || tgname || ' ' || relname from pg_trigger t
        join pg_class c on c.oid = t.tgrelid where not tgisinternal
      union select 'index ' || relname from pg_class where relkind = 'i'
        and relnamespace = 'public'::regnamespace`
    ).map(({ name }) => name),
  );

/** The last statement for each object that the history has and drizzle's own migration lacks. */
async function handWritten(history: Sql, plain: Sql): Promise<string[]> {
  const [wanted, there] = [await namesOf(history), await namesOf(plain)];
  const { rows } = await catalogOf(history);
  const filled = new Set(rows.map((line) => `rows ${line.split(' ', 1)[0]}`));
  const kept = new Map<string, string>();
  for (const statement of formerSteps().flatMap(({ sql }) => sql)) {
    const object = objectOf(statement);
    if (!object || there.has(object)) continue;
    if (!wanted.has(object) && !filled.has(object) && !object.startsWith('block')) continue;
    kept.delete(object);
    const comment =
      comments[object] ??
      (object.startsWith('block')
        ? 'Indexes for the search for sellers. They need an extension that a server may lack.'
        : undefined);
    kept.set(object, `${comment ? `-- ${comment}\n` : ''}${bare(statement).trim()}`);
  }
  return [...kept.values()];
}

/** drizzle cannot declare a deferrable constraint. */
async function deferred(history: Sql, text: string): Promise<string> {
  const rows = await history<{ name: string }[]>`select conname as name from pg_constraint
    where condeferrable and contype = 'u' and connamespace = 'public'::regnamespace`;
  return rows.reduce(
    (changed, { name }) =>
      changed
        .split('\n')
        .map((line) =>
          line.includes(`CONSTRAINT "${name}" UNIQUE(`)
            ? line.replace(/\),?$/, (end) => `) DEFERRABLE INITIALLY DEFERRED${end.slice(1)}`)
            : line,
        )
        .join('\n'),
    text,
  );
}

const stepOf = (text: string): Step => ({
  sql: text.split(breakpoint),
  hash: createHash('sha256').update(text).digest('hex'),
  folderMillis: 0,
  bps: true,
});

function differences(wanted: Catalog, made: Catalog): string[] {
  return Object.entries(wanted).flatMap(([kind, lines]) => {
    const others = new Set(made[kind as keyof Catalog]);
    const own = new Set(lines);
    return [
      ...lines.filter((line) => !others.has(line)).map((line) => `- ${kind}: ${line}`),
      ...[...others].filter((line) => !own.has(line)).map((line) => `+ ${kind}: ${line}`),
    ];
  });
}

if (recorded.migrations.length > 1)
  throw new Error('Migrations were released: they stay as they are.');
const place = mkdtempSync('/tmp/m54-squash-');
chmodSync(place, 0o755);
const server = await startEmbeddedPostgres({
  folder: join(place, 'postgres'),
  settings: { fsync: 'off' },
});
const pools: Sql[] = [];

async function databaseWith(name: string, steps: readonly Step[]): Promise<Sql> {
  const [admin, sql] = [server.connect('postgres'), server.connect(name)].map((target) =>
    postgres({ ...target, max: 1, onnotice: () => {} }),
  ) as [Sql, Sql];
  pools.push(admin, sql);
  await admin.unsafe(`create database "${name}" template template0`);
  await sql.begin((tx) => apply(tx, steps));
  return sql;
}

try {
  const former = formerSteps();
  const history = await databaseWith('history', former);
  rmSync(migrationsFolder, { recursive: true, force: true });
  const generated = Bun.spawnSync(['bun', 'run', 'db:generate', '--name', 'schema'], {
    cwd: source('.'),
  });
  if (!generated.success) throw new Error(generated.stderr.toString());
  // A new time for the same text would make drizzle apply it to a database that has it.
  const journal = join(migrationsFolder, 'meta/_journal.json');
  const when = (former.at(-1)?.folderMillis ?? 0) + 1;
  writeFileSync(
    journal,
    readFileSync(journal, 'utf8').replace(/"when": \d+/, () => `"when": ${when}`),
  );
  const file = join(migrationsFolder, '0000_schema.sql');
  const drizzles = await deferred(history, readFileSync(file, 'utf8').trim());
  const plain = await databaseWith('plain', [stepOf(drizzles)]);
  const added = await handWritten(history, plain);
  const text = `${[drizzles, ...added].join(`\n${breakpoint}\n\n`)}\n`;
  writeFileSync(file, text);
  const made = await databaseWith('made', [stepOf(text)]);
  const wrong = differences(await catalogOf(history), await catalogOf(made));
  writeFileSync(source('dev/migrations.json'), recordMigrations());
  console.log(wrong.length === 0 ? 'The schema is that of db/history' : wrong.join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await Promise.all(pools.map((sql) => sql.end({ timeout: 5 })));
  await server.stop();
  rmSync(place, { recursive: true, force: true });
}
