import { beforeEach, describe, expect, test } from 'vitest';
import { feed } from '../../../api/connect/reads.ts';
import { fillConnect, searched } from '../../../dev/bench/connectPosts.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp();
beforeEach(() => market.reset({ accounts: true }));

describe('searching a long board', () => {
  const size = 7000;
  beforeEach(async () => {
    await fillConnect(market, size);
    // Statistics of a table so long that scanning the feed looks cheaper than the word index.
    await market.sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', 'connect_posts',
      'relpages', relpages, 'reltuples', (30 * reltuples)::real) from pg_class where oid = 'connect_posts'::regclass`;
  });

  /** Number of hits, and the rows that Postgres read for them. */
  async function looked(search: string): Promise<{ found: number; rows: number }> {
    const ctx = await market.ctx();
    return market.db.transaction(async (db) => {
      const { posts } = await feed({ ...ctx, db }, { search });
      const [row] = await db.execute<{
        rows: number;
      }>(`select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
        from pg_stat_xact_user_tables where relname = 'connect_posts'`);
      return { found: posts.length, rows: row?.rows ?? 0 };
    });
  }

  test('takes few of its posts, whether one has the word, none, or hundreds', async () => {
    const [rare, none, common] = [
      await looked(searched.rare),
      await looked('xylophone'),
      await looked(searched.common),
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
});
