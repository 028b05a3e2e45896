import { beforeEach, describe, expect, test } from 'vitest';
import { beat } from '../../../api/outages/beat.ts';
import { decideOutage } from '../../../api/outages/decide.ts';
import { createPulse } from '../../../api/outages/pulse.ts';
import { lastOutages } from '../../../api/outages/reads.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { dictionaries } from '../../../locales/index.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines, lastAudit } from '../../support/audit.ts';
import { live, runQueue, slotOf } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

/**
 * Outages are measured by the database's clock (decision 055), so the market's clock is set to now.
 */
const market = await testApp({ now: new Date() });
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());

const hour = 3600;
const day = 24 * hour;
const job = (db = market.db) => market.job('pulse', db);
/** Sets the age of the last beat. */
const away = (seconds: number) =>
  market.sql`insert into pulse (beat_at) values (clock_timestamp() - make_interval(secs => ${seconds})) on conflict (id) do update set beat_at = excluded.beat_at`;
type Listed = { id: string; slotId: number; end: number };
/**
 * Old live listings that end in this many seconds (negative: ended); the second is another
 * seller's.
 */
async function listed(...endsIn: number[]): Promise<[Listed, Listed, Listed]> {
  const placed = [];
  for (const index of endsIn.keys())
    placed.push(await live(market, index === 1 ? otherSeller : seller, admin));
  for (const [index, { slotId }] of placed.entries())
    await market.sql`update slots set start_time = now() - interval '30 days', end_time = now() + make_interval(secs => ${endsIn[index] ?? 0}) where id = ${slotId}`;
  const rows = await Promise.all(
    placed.map(async ({ id, slotId }) => ({
      id,
      slotId,
      end: (await slotOf(market, id))?.endTime?.getTime() ?? 0,
    })),
  );
  return rows as [Listed, Listed, Listed];
}
const gained = async ({ id, end }: { id: string; end: number }) =>
  (((await slotOf(market, id))?.endTime?.getTime() ?? 0) - end) / 1000;
const silentSince = async () =>
  (
    await market.sql`select extract(epoch from clock_timestamp() - beat_at)::float8 as seconds from pulse`
  )[0]?.seconds;

describe('time in which the market could not be reached', () => {
  test('is given back to each live listing before anything is ended, and once', async () => {
    const [over, running] = await listed(-600, 5 * hour);
    await away(hour);
    const given = await beat(job());
    expect(given).toMatchObject({ restSeconds: 0, listings: 2 });
    expect(given?.givenSeconds).toBeCloseTo(hour, -1);
    for (const listing of [over, running]) expect(await gained(listing)).toBeCloseTo(hour, -1);
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    expect(await beat(job())).toBeUndefined();
    expect(await gained(over)).toBeCloseTo(hour, -1);
    expect(await lastAudit(market)).toMatchObject({
      actorKind: 'job',
      action: 'outage.giveBack',
      subjectKind: 'outage',
      after: { seconds: given?.givenSeconds, slots: [over.slotId, running.slotId] },
    });
    const mail = await market.mails.lastTo(seller.email);
    expect(mail.subject).toBe(
      '“Samsung Galaxy A14” gets time back: the market could not be reached',
    );
    expect(mail.text).toMatch(
      /For 1 hour.* the market could not be reached\. .* slot #11 gets all of that time back\.\n\nIt is now live until /,
    );
    expect((await market.mails.lastTo(otherSeller.email)).text).toContain(
      `${dictionaries.fr.mail.outageGivenBack.line1.slice(0, 8)}1 heure`,
    );
  });

  test('is not, when it was less than two minutes', async () => {
    const [listing] = await listed(hour);
    await away(115);
    expect(await beat(job())).toBeUndefined();
    expect(await gained(listing)).toBe(0);
    expect(await silentSince()).toBeLessThan(10);
  });

  test('is nothing for a paused listing, nor for one whose time was up before; who came in the middle gets the rest of it', async () => {
    const [paused, over, late] = await listed(hour, -2 * hour, hour);
    await pauseSlot(await market.ctx(admin), paused.slotId, paused.id);
    const before = await slotOf(market, paused.id);
    await market.sql`update slots set start_time = now() - interval '10 minutes' where id = ${late.slotId}`;
    await away(hour);
    expect(await beat(job())).toMatchObject({ listings: 1 });
    expect(await slotOf(market, paused.id)).toEqual(before);
    expect(await gained(over)).toBe(0);
    expect(await gained(late)).toBeCloseTo(600, -1);
    expect(await runQueue(market)).toMatchObject({ endedCount: 1 });
  });

  test('is given back whole by the next start, when this one breaks off in the middle', async () => {
    const [listing] = await listed(-60);
    await away(hour);
    await market.sql.unsafe(`create function broken_off() returns trigger language plpgsql as $$ begin raise exception 'gone'; end $$;
      create trigger broken_off before insert on outages for each row execute function broken_off()`);
    try {
      await expect(beat(job())).rejects.toThrow();
    } finally {
      await market.sql.unsafe('drop function broken_off cascade');
    }
    expect(await gained(listing)).toBe(0);
    expect(await silentSince()).toBeGreaterThan(hour - 1);
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    expect(await beat(job())).toMatchObject({ listings: 1 });
    expect(await gained(listing)).toBeCloseTo(hour, -1);
  });

  test('is given back once by two processes that start together', async () => {
    const [listing] = await listed(hour);
    await away(hour);
    const pools = [1, 2, 3].map(() => market.database.another({ max: 2 }).db);
    const given = await Promise.all(pools.map((db) => beat(job(db))));
    expect(given.filter(Boolean)).toHaveLength(1);
    expect(await gained(listing)).toBeCloseTo(hour, -1);
    expect((await lastOutages(job())).outages).toHaveLength(1);
  });

  test('ends nothing for as long as nobody says that the market is served', async () => {
    await listed(-60);
    await away(60);
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    await beat(job());
    expect(await runQueue(market)).toMatchObject({ endedCount: 1 });
  });
});

describe('the pulse of a process', () => {
  test('takes a clock that was set forward for no outage, and a database that was away for one', async () => {
    const [listing] = await listed(hour);
    let seconds = 0;
    const pulse = createPulse(job(), { monotonic: () => seconds * 1000 });
    // A market that never ran has lost no time; its first beat starts the clock.
    await pulse.resume();
    expect(await silentSince()).toBeUndefined();
    await away(10);
    await pulse.resume();
    await away(365 * day);
    seconds += 15;
    await pulse.resume();
    expect(await gained(listing)).toBe(0);
    await away(-hour);
    await pulse.resume();
    expect(await silentSince()).toBeLessThan(10);
    await away(hour);
    seconds += hour;
    // The first reader afterwards waits for this.
    await pulse.settled();
    expect(await gained(listing)).toBeCloseTo(hour, -1);
    await away(hour);
    await pulse.settled();
    expect(await gained(listing)).toBeCloseTo(hour, -1);
    await pulse.stop();
    expect(await gained(listing)).toBeCloseTo(hour, -1);
  });

  test('never fails whoever waits for it', async () => {
    const closed = market.database.another({ max: 1 });
    await closed.close();
    await createPulse(job(closed.db)).settled();
    expect(market.logged.at(-1)).toMatchObject({
      message: 'The pulse of the market could not be kept',
    });
  });
});

describe('an outage of more than seven days', () => {
  async function long() {
    const [listing] = await listed(-9 * day);
    await away(10 * day);
    const outage = await beat(job());
    expect(outage?.restSeconds).toBeCloseTo(3 * day, -1);
    expect(await gained(listing)).toBe(7 * day);
    return { listing, id: outage?.id ?? 0 };
  }
  const decide = async (id: number, giveBack: boolean) =>
    decideOutage(await market.ctx(admin), id, giveBack);
  const reported = async () =>
    (await checkHealth(market.job('check-health'))).checks.find(({ name }) => name === 'outages')
      ?.code;

  test('gives back seven, and ends none of its listings before an admin decides; given back, the rest is theirs', async () => {
    const { listing, id } = await long();
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    expect(await reported()).toBe('admin:health.outageWaits');
    expect(await decide(id, true)).toEqual({ id, decision: 'given', listings: 1 });
    expect(await gained(listing)).toBeCloseTo(10 * day, -1);
    expect((await auditLines(market, 'outage.decide')).at(-1)).toMatchObject({
      actorKind: 'admin',
      after: { givenBack: true, slots: [listing.slotId] },
    });
    expect(
      (await market.mails.allTo(seller.email)).filter(({ subject }) =>
        subject.includes('gets time back'),
      ),
    ).toHaveLength(2);
    expect(await reported()).toBe('admin:health.outageLast');
    await refused(decide(id, false), 'conflict');
  });

  test('not given back, they end with the next run', async () => {
    const { id } = await long();
    expect(await decide(id, false)).toEqual({ id, decision: 'declined', listings: 0 });
    expect(await runQueue(market)).toMatchObject({ endedCount: 1 });
    await refused(decide(id + 1, true), 'notFound');
    await refused(decideOutage(await market.ctx(seller), id, true), 'forbidden');
  });

  test('given back to a listing that was paused meanwhile, it goes on with more; to another that came into its slot, nothing', async () => {
    const [paused, gone] = await listed(-3 * day, -3 * day);
    await away(10 * day);
    const outage = await beat(job());
    await pauseSlot(await market.ctx(admin), paused.slotId, paused.id);
    await removeFromSlot(await market.ctx(admin), gone.slotId, { productId: gone.id });
    const next = await live(market, seller, admin);
    expect(next.slotId).toBe(gone.slotId);
    const left = (await slotOf(market, paused.id))?.remainingDuration ?? 0;
    await decide(outage?.id ?? 0, true);
    expect(((await slotOf(market, paused.id))?.remainingDuration ?? 0) - left).toBeCloseTo(
      3 * day,
      -1,
    );
    expect((await slotOf(market, next.id))?.endTime).toEqual(next.endTime);
  });
});
