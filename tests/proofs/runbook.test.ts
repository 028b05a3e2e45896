import { afterAll, describe, expect, test } from 'vitest';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/processes.ts';
import { blocks, openTestbed, unseen } from '../support/runbook.ts';

/**
 * Runs the blocks of docs/runbook.md that need no root, in order. With `--long` also
 * the slow ones.
 */
const place = openTestbed(await freePort());
const { target } = await freshDatabase({ empty: true });
afterAll(async () => {
  await place.type('systemctl stop marche54');
  place.remove();
});

/** Points the page's own Postgres at the test's. */
const own = (text: string) =>
  text.replace('postgres://market:PASSWORD@127.0.0.1:5432/market', urlOf(target));
/** The operator's input. */
const password = 'A good password 1\n';

let damaged = false;
/**
 * Damages the data once, as a dying disk does: the market no longer starts, and says what to do.
 */
async function damage(): Promise<void> {
  if (damaged) return;
  damaged = true;
  expect(
    await place.type('systemctl stop marche54; : > /var/lib/marche54/postgres/global/pg_control'),
  ).toMatchObject({ code: 0 });
  expect(await place.type('systemctl start marche54')).toMatchObject({ code: 1 });
  const { seen } = await place.type('rm "$PLACE/pid"; tail -n 5 "$PLACE/journal"');
  expect(seen).toContain(
    'Delete nothing: docs/runbook/trouble.md#the-database-is-damaged says what to do, in order.',
  );
}

describe('the runbook', () => {
  test('leads from settings to a market that is backed up, restored, checked, and moved to another database', {
    timeout: 300_000,
  }, async () => {
    const long = process.env.LONG === '1';
    const typed = blocks.filter(
      ({ kind }) => kind === 'run' || (long && (kind === 'long' || kind === 'damaged')),
    );
    expect(typed.length).toBeGreaterThan(8);
    for (const [n, { kind, text, sees }] of typed.entries()) {
      if (kind === 'damaged') await damage();
      const { code, seen } = await place.type(own(text), password);
      expect([code, unseen(seen, sees)], `${text}\n${seen}`).toEqual([0, []]);
      // The page starts the service here, as root.
      if (n === 0) expect(await place.type('systemctl start marche54')).toMatchObject({ code: 0 });
    }
  });
});
