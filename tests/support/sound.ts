import { expect } from 'vitest';
import { brokenRules } from '../../api/check/check.ts';
import type { Rule } from '../../api/check/rule.ts';
import type { TestApp } from './app.ts';

/**
 * Expects these rules of the market to hold (decision 018). One query asks all SQL rules first:
 * property tests call it a thousand times.
 */
export async function expectSound(
  market: Pick<TestApp, 'sql' | 'job' | 'clock'>,
  rules: readonly Rule[],
): Promise<void> {
  const asked = rules.flatMap(({ name, wrong }) =>
    typeof wrong === 'string' ? [`select '${name}' as name where exists (${wrong})`] : [],
  );
  const now = market.clock.now().toISOString();
  const broken = await market.sql.unsafe<{ name: string }[]>(
    `with clock as (select '${now}'::timestamptz as now) ${asked.join(' union all ')}`,
  );
  const names = new Set(broken.map(({ name }) => name));
  const left = rules.filter(({ name, wrong }) => names.has(name) || typeof wrong !== 'string');
  expect(await brokenRules(market.job('check-market'), left)).toEqual([]);
}
