import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeMessages } from '../../../api/outbox/delivery.ts';
import { mailsAtOnce } from '../../../api/outbox/mailer.ts';
import { testApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';

// The planner has no statistics of an earlier file.
const market = await testApp({ database: await freshDatabase() });
beforeEach(() => market.reset());

describe('among a hundred thousand waiting mails', () => {
  type Plan = {
    'Node Type': string;
    'Shared Hit Blocks': number;
    'Shared Read Blocks': number;
    Plans?: Plan[];
  };
  const nodes = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodes)];
  async function planOfTaking(): Promise<Plan> {
    let text: { sql: string; params: unknown[] } | undefined;
    const seen = {
      ...market.job('x'),
      db: {
        async execute(statement: never) {
          text = new PgDialect().sqlToQuery(statement);
          return [];
        },
      } as never,
    };
    await takeMessages(seen, 'email', mailsAtOnce);
    const explain = `explain (analyze, buffers, format json) ${text?.sql}`;
    const [row] = await market.sql.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      explain,
      text?.params as never,
    );
    return row?.['QUERY PLAN'][0]?.Plan as Plan;
  }
  const fill = (recipient: string, due: string) =>
    market.db.execute(sql`
      insert into outbox (channel, recipient, language, kind, subject, body_text, body_html, next_attempt_at, created_at)
      select 'email', ${sql.raw(recipient)}, 'en', 'productRejected', 's', 't', 'h', ${sql.raw(due)}, now() from generate_series(1, 100000) n`);
  afterEach(() => market.sql`truncate outbox`);

  const cases: [string, string, string][] = [
    ['that are all due', `'person' || n || '@example.test'`, `'2026-11-01'::timestamptz`],
    [
      'of which few are due, with the mail server away',
      `'person' || n % 20000 || '@example.test'`,
      `case when n > 99990 then '2026-11-01' else '2026-12-01' end::timestamptz`,
    ],
  ];
  for (const [name, recipient, due] of cases) {
    test(`${name}, taking some looks at few rows, by an index`, async () => {
      await fill(recipient, due);
      // With and without the planner's statistics.
      for (const statistics of ['', 'analyze outbox']) {
        if (statistics) await market.sql.unsafe(statistics);
        const plan = await planOfTaking();
        expect(nodes(plan).filter((node) => /Seq Scan|Hash|Bitmap|^Sort$/.test(node))).toEqual([]);
        expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(500);
      }
    });
  }
});
