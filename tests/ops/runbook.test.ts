import { afterAll, describe, expect, test } from 'vitest';
import { freePort, urlOf } from '../faults/place.ts';
import { freshDatabase } from '../support/database.ts';
import { blocks, openPlace, unseen } from './book.ts';

/**
 * The blocks of docs/runbook.md that need no rights of root are typed one after the other, as whoever follows the page types them. With LONG=1 (`bun run
 * ops`) those as well that take longer.
 */
const place = openPlace(await freePort());
const { target } = await freshDatabase({ empty: true });
afterAll(async () => {
  await place.type('systemctl stop marche54');
  place.remove();
});

/** The Postgres of one's own that the page leads to at the end. */
const own = (text: string) =>
  text.replace('postgres://market:PASSWORD@127.0.0.1:5432/market', urlOf(target));
/** What the operator answers when asked. */
const password = 'A good password 1\n';

let damaged = false;
/** Takes what a dying disk takes, once: the market does not start any more, and says what to do. */
async function damage(): Promise<void> {
  if (damaged) return;
  damaged = true;
  expect(
    await place.type('systemctl stop marche54; : > /var/lib/marche54/postgres/global/pg_control'),
  ).toMatchObject({ code: 0 });
  expect(await place.type('systemctl start marche54')).toMatchObject({ code: 1 });
  const { seen } = await place.type('rm "$PLACE/pid"; tail -n 5 "$PLACE/journal"');
  expect(seen).toContain(
    'Delete nothing: docs/runbook.md#the-database-is-damaged says what to do, in order.',
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
      // Where the page starts the service, which takes root.
      if (n === 0) expect(await place.type('systemctl start marche54')).toMatchObject({ code: 0 });
    }
  });
});
