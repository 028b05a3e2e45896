import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isLive, isOverdue } from '../../api/listings/live.ts';
import { slotState } from '../../api/listings/rules.ts';
import { schema } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';
import { rawRows, rowTime } from '../support/rows.ts';

test('publicly live is the same to Postgres as in code (product R3, R7)', async () => {
  const { sql, db } = await freshDatabase();
  await rawRows(sql).placed(7);
  const { slots } = schema;
  const [placed] = await db.select().from(slots).where(eq(slots.id, 7));
  const end = placed?.endTime?.getTime() ?? 0;
  for (const paused of [false, true]) {
    if (paused)
      await db.update(slots).set({ pausedAt: rowTime(), pausedBy: 'admin' }).where(eq(slots.id, 7));
    const all = await db.select().from(slots);
    for (const now of [end - 1, end, end + 1].map((at) => new Date(at))) {
      const said = (state: string) =>
        all.filter((slot) => slotState(slot, now) === state).map(({ id }) => id);
      const asked = async (which: typeof isLive) =>
        (await db.select({ id: slots.id }).from(slots).where(which(now))).map(({ id }) => id);
      expect(await asked(isLive)).toEqual(said('live'));
      expect(await asked(isOverdue)).toEqual(said('expired'));
    }
  }
});
