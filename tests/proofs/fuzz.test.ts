import { afterAll, expect, test } from 'vitest';
import { fuzz, told } from '../../dev/fuzz/fuzz.ts';
import { operationInputs } from '../../dev/fuzz/requests.ts';
import { openTestbed } from '../../dev/fuzz/testbed.ts';
import { freshDatabase } from '../support/database.ts';

/** `FUZZ_SEED=7` sends other requests; without it every run is the same. */
const seed = Number(process.env.FUZZ_SEED ?? 54);

const { target } = await freshDatabase();
const testbed = await openTestbed(target);
afterAll(() => testbed.stop());

test(`2,500 requests of every kind (seed ${seed}) are all answered well, and quickly, and leave the market whole`, {
  timeout: 420_000,
  retry: 0,
}, async () => {
  const outcome = await fuzz(testbed, { requests: 2500, seed });
  expect(outcome.findings.map((finding) => told(finding, seed)).join('\n')).toBe('');
  expect(outcome.after).toEqual([]);
  expect(outcome.sent).toBe(2500);
  // If most were refused early or by a limit, nothing would have been tested.
  const count = (pattern: RegExp) =>
    Object.entries(outcome.byStatus).reduce(
      (sum, [status, n]) => sum + (pattern.test(status) ? n : 0),
      0,
    );
  expect(count(/^[23]/)).toBeGreaterThan(625);
  expect(count(/^429/)).toBeLessThan(50);
  expect(count(/^401/)).toBeLessThan(500);
  expect(outcome.reached.size).toBeGreaterThan(0.67 * outcome.asked.size);
  // A route without a generated request would never be tested.
  const operations = operationInputs(testbed.document, await testbed.refresh(), testbed.photo).map(
    ({ name }) => name,
  );
  expect(operations.filter((name) => !outcome.asked.has(name))).toEqual([]);
});
