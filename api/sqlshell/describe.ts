import { harmless, type Look, present } from './print.ts';
import { NotRun, type Session } from './session.ts';

export type Shell = {
  session: Session;
  look: Look;
  print: (text: string) => Promise<void>;
  leave: () => void;
};

const help = `SQL ends with a semicolon.
  \\dt        tables and views
  \\d NAME    columns, indexes, constraints and triggers of one
  \\x         rows as blocks, on or off
  \\timing    time of each statement, on or off
  \\q         leave (Ctrl-D)
Ctrl-C ends the statement that runs, or drops what is typed.
`;

export async function command(shell: Shell, line: string): Promise<void> {
  const [name = '', ...words] = line.trim().slice(1).replace(/;$/, '').split(/\s+/);
  const argument = words.join(' ');
  const { look, print } = shell;
  if (name === 'q') shell.leave();
  else if (name === '?' || name === 'h') await print(help);
  else if (name === 'dt' || (name === 'd' && argument === ''))
    await print(present(await shell.session.run(allTables), look));
  else if (name === 'd') await describe(shell, argument);
  else if (name === 'x') await toggle(shell, 'expanded', 'Rows as blocks');
  else if (name === 'timing') await toggle(shell, 'timing', 'Time of statements');
  else throw new NotRun(`There is no command \\${harmless(name)}. \\? lists those that there are.`);
}

async function toggle(
  { look, print }: Shell,
  name: 'expanded' | 'timing',
  label: string,
): Promise<void> {
  look[name] = !look[name];
  await print(`${label}: ${look[name] ? 'on' : 'off'}\n`);
}

const allTables = `select n.nspname as schema, c.relname as name,
    case c.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
    case when c.reltuples >= 0 then c.reltuples::bigint end as "rows, about",
      pg_size_pretty(pg_total_relation_size(c.oid)) as size
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1, 2`;

const parts = {
  Columns: `select attname as column, format_type(atttypid, atttypmod) as type, case when attnotnull
    then 'not null' end as "null",
      pg_get_expr(d.adbin, d.adrelid) as default
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = $1 and a.attnum > 0 and not attisdropped order by attnum`,
  Indexes:
    'select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1 order by 1',
  Constraints: `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = $1 and contype <> 'n' order by 1`,
  Triggers:
    'select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = $1 and not tgisinternal order by 1',
};

async function describe({ session, look, print }: Shell, name: string): Promise<void> {
  const { rows } = await session.run(`select to_regclass('${name.replaceAll("'", "''")}')::oid`);
  const oid = rows[0]?.[0];
  if (!oid) throw new NotRun(`There is no table ${harmless(name)}. \\dt lists them.`);
  for (const [heading, sql] of Object.entries(parts)) {
    const result = await session.run(sql.replaceAll('$1', oid));
    if (result.rows.length > 0) await print(`${heading}\n${present(result, look)}`);
  }
}
