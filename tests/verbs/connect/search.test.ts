import { beforeEach, describe, expect, test } from 'vitest';
import { feed } from '../../../api/connect/reads.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { fillConnect, searched } from '../../../dev/bench/connectPosts.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp();
beforeEach(() => market.reset({ accounts: true }));

describe('searching a long feed', () => {
  const size = 7000;
  beforeEach(async () => {
    await fillConnect(market, size);
    // Statistics of a table so long that scanning the feed looks cheaper than the word index.
    await market.sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', 'connect_posts',
      'relpages', relpages, 'reltuples', (30 * reltuples)::real) from pg_class where oid = 'connect_posts'::regclass`;
  });

  async function rowsRead(db: Pick<Ctx['db'], 'execute'>): Promise<number> {
    const [row] = await db.execute<{ rows: number }>(`select (coalesce(seq_tup_read, 0)
      + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'connect_posts'`);
    return row?.rows ?? 0;
  }

  /** Number of hits, and the rows that Postgres read for them. */
  async function looked(ctx: Ctx, search: string): Promise<{ found: number; rows: number }> {
    return market.db.transaction(async (db) => {
      // Postgres also counts what this connection read a moment ago.
      const before = await rowsRead(db);
      const { posts } = await feed({ ...ctx, db }, { search });
      return { found: posts.length, rows: (await rowsRead(db)) - before };
    });
  }

  test('takes few of its posts, whether one has the word, none, or hundreds', async () => {
    // Reads the words of the feed once in five minutes.
    const ctx = await market.ctx();
    await looked(ctx, 'xylophone');
    const [rare, none, common] = [
      await looked(ctx, searched.rare),
      await looked(ctx, 'xylophone'),
      await looked(ctx, searched.common),
    ];
    expect(rare.found).toBe(1);
    expect(rare.rows).toBeLessThan(50);
    expect(none.found).toBe(0);
    expect(none.rows).toBeLessThan(50);
    expect(common.found).toBe(20);
    expect(common.rows).toBeLessThan(1500);
  });

  test('pages through all that have a word, newest first, each once', async () => {
    const ctx = await market.ctx();
    for (const search of [searched.common, 'plumber']) {
      const [{ expected } = { expected: 0 }] = await market.sql<{ expected: number }[]>`
        select count(*)::int as expected from connect_posts where search @@ search_query(${[search]}::text[])`;
      const seen: { reference: string; updatedAt: string }[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await feed(ctx, { search, after });
        seen.push(...page.posts);
        after = page.next;
      }
      expect(new Set(seen.map(({ reference }) => reference)).size).toBe(expected);
      expect(seen).toHaveLength(expected);
      expect(seen.map(({ updatedAt }) => updatedAt)).toEqual(
        seen
          .map(({ updatedAt }) => updatedAt)
          .toSorted()
          .toReversed(),
      );
    }
  });

  test('forgives a slip only where nothing has the word', async () => {
    const ctx = await market.ctx();
    expect((await feed(ctx, { search: searched.rare })).corrected).toBeNull();
    const { posts, corrected } = await feed(ctx, { search: 'ndamokung' });
    expect(corrected).toBeNull();
    expect(posts).toEqual([]);
    const meant = await feed(ctx, { search: 'cocao' });
    expect(meant.corrected).toBe(searched.common);
    expect(meant.posts).toHaveLength(20);
  });
});
