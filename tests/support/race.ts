import type { Sql } from 'postgres';

/**
 * Makes verbs collide: holds a row until that many wait for it. Otherwise they may run one after
 * the other, and a missing lock goes unnoticed.
 * @param hold a statement that locks the row, such as `select … for update`
 */
export async function collide<T>(
  sql: Sql,
  hold: string,
  verbs: (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const holder = await sql.reserve();
  try {
    await holder.unsafe('begin');
    await holder.unsafe(hold);
    const running = Promise.allSettled(verbs.map((verb) => verb()));
    for (;;) {
      const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting
        from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`;
      if ((row?.waiting ?? 0) >= verbs.length) break;
    }
    await holder.unsafe('commit');
    return await running;
  } finally {
    holder.release();
  }
}
