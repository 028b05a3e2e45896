import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { statementCsv } from '../../api/credits/present.ts';
import { checkStatement } from '../../api/credits/proof.ts';
import { wholeStatement } from '../../api/credits/reads.ts';
import { verifyCredits } from '../../api/credits/verify.ts';
import { checkHealth } from '../../api/upkeep/check.ts';
import { runJob } from '../../jobs/run.ts';
import { type Job, schedule } from '../../jobs/schedule.ts';
import type { Language } from '../../locales/languages.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { behindTheTriggers, giveBack, grant, pay } from '../support/credits.ts';
import { refusal } from '../support/rows.ts';

/**
 * Rules of credits that Postgres enforces whatever the code does, and tampering that the chains
 * reveal (decision 042).
 */
const market = await testApp();
const { member, seller } = await actors(market);
const { sql } = market;
const restrict = '23001';
let number = 0;
let other = 0;
const spent = randomUUID();

/** Five entries of one member (+10 −2 −1 +2 +5) and two of another (+9 −2). */
beforeEach(async () => {
  await market.reset();
  await grant(market, member, 10);
  await pay(await market.ctx(member), 'post', spent);
  await pay(await market.ctx(member), 'response');
  await giveBack(market.job('x'), spent);
  await grant(market, member, 5);
  await grant(market, seller, 9);
  await pay(await market.ctx(seller));
  const numbers = await sql<
    { number: string; user_id: string }[]
  >`select number, user_id from credit_accounts`;
  const of = (userId: string) => Number(numbers.find((row) => row.user_id === userId)?.number);
  [number, other] = [of(member.userId), of(seller.userId)];
});

const head = async (of = number) =>
  (await sql`select entries, balance, head from credit_accounts where number = ${of}`)[0] ?? {};
/** Inserts an entry as a bug or an import would. */
async function entry(columns: Record<string, unknown> = {}) {
  const { entries, balance, head: previous } = await head();
  const amount = (columns.amount as number) ?? 1;
  const row = {
    ...{
      id: randomUUID(),
      member: number,
      serial: entries + 1,
      kind: 'correction',
      amount,
      balance: balance + amount,
      reason: 'x',
    },
    ...{ at: new Date(), previous, hash: 'a'.repeat(64), ...columns },
  };
  return refusal(sql`insert into credit_entries ${sql(row as never)}`);
}
const spend = (reference_id: string) => ({
  kind: 'spend',
  amount: -2,
  reason: null,
  reference_type: 'post',
  reference_id,
});

describe('the ledger', () => {
  test('is only added to', async () => {
    for (const table of ['credit_entries', 'credit_accounts', 'purchases']) {
      expect(await refusal(sql.unsafe(`delete from ${table}`)), table).toBe(restrict);
      expect(await refusal(sql.unsafe(`truncate ${table} cascade`)), table).toBe(restrict);
    }
    expect(await refusal(sql`update credit_entries set amount = 1`)).toBe(restrict);
    expect(
      await refusal(sql`update credit_accounts set balance = 1000 where number = ${number}`),
    ).toBe(restrict);
    expect(
      await refusal(sql`update credit_accounts set entries = 0 where number = ${number}`),
    ).toBe(restrict);
    expect(
      await refusal(
        sql`update credit_accounts set user_id = ${seller.userId} where number = ${number}`,
      ),
    ).toBe(restrict);
    expect(
      await refusal(sql`insert into credit_accounts (opened_at, balance) values (now(), 5)`),
    ).toBe(restrict);
  });

  test('takes only an entry that follows the one before, in number, balance and hash', async () => {
    expect(await entry({ serial: 9 })).toBe('credit_entries_follow');
    expect(await entry({ serial: 5 })).toBe('credit_entries_follow');
    expect(await entry({ balance: 100 })).toBe('credit_entries_follow');
    expect(await entry({ previous: 'b'.repeat(64) })).toBe('credit_entries_follow');
    expect(await entry({ member: 999_999 })).toBe('credit_entries_follow');
    expect(await entry({ hash: 'x' })).toBe('credit_entries_hashed');
    expect(await entry()).toBe('kept');
    expect(await head()).toMatchObject({ entries: 6, balance: 15, head: 'a'.repeat(64) });
  });

  test('never goes below zero', async () => {
    expect(await entry({ amount: -15 })).toMatch(/not_negative$/);
    expect(await entry({ amount: -14 })).toBe('kept');
  });

  test('knows one spend a thing, and of each kind only what belongs to it', async () => {
    expect(await entry(spend(spent))).toBe('credit_entries_spend_idx');
    expect(await entry({ ...spend(randomUUID()), reference_id: null })).toBe(
      'credit_entries_spend_whole',
    );
    expect(await entry({ ...spend(randomUUID()), amount: 2 })).toBe('credit_entries_signed');
    expect(await entry({ ...spend(randomUUID()), reference_type: 'tip' })).toBe(
      'credit_entries_reference_known',
    );
    expect(await entry({ amount: 0 })).toBe('credit_entries_signed');
    expect(await entry({ reason: null })).toBe('credit_entries_correction_whole');
    expect(await entry({ kind: 'gift' })).toMatch(/kind_known|correction_whole/);
    expect(await entry({ kind: 'joining', reason: null })).toBe('kept');
    expect(await entry({ kind: 'joining', reason: null })).toBe('credit_entries_joining_idx');
  });

  test('gives back a spend once, whole, and to whoever paid', async () => {
    const [own] =
      await sql`select id from credit_entries where member = ${number} and reference_type = 'response'`;
    const [others] =
      await sql`select id from credit_entries where member = ${other} and kind = 'spend'`;
    const [before] = await sql`select undoes from credit_entries where kind = 'refund'`;
    const refund = (undoes: string, amount: number) =>
      entry({ kind: 'refund', reason: null, undoes, amount });
    expect(await refund(others?.id, 2)).toBe('credit_entries_refund_of_spend');
    expect(await refund(own?.id, 2)).toBe('credit_entries_refund_of_spend');
    expect(await refund(before?.undoes, 2)).toBe('credit_entries_undoes_idx');
    expect(await refund(own?.id, 1)).toBe('kept');
  });

  test('has an entry for a completed purchase and for no other, whichever is written first', async () => {
    const purchase = async (status: string, member = number, tx = sql) => {
      const id = randomUUID();
      const done =
        status === 'completed' ? { completed_at: new Date(), payment_reference: id } : {};
      const row = {
        id,
        member,
        amount_usd: 10,
        credits_amount: 25,
        purchase_method: 'stripe',
        adapter: 'x',
        status,
        reference: id,
        created_at: new Date(),
        ...done,
      };
      await tx`insert into purchases ${tx(row as never)}`;
      return id;
    };
    expect(await refusal(purchase('completed'))).toBe('credit_purchase_credited');
    const pending = await purchase('pending');
    const credits = { kind: 'purchase', reason: null, amount: 25 };
    expect(await entry({ ...credits, purchase_id: pending })).toBe('credit_purchase_credited');
    const both = (columns: Record<string, unknown>) =>
      refusal(
        sql.begin(async (tx) => {
          const id = await purchase('completed', number, tx as never);
          const { entries, balance, head: previous } = await head();
          const row = {
            id: randomUUID(),
            member: number,
            serial: entries + 1,
            balance: balance + 25,
            at: new Date(),
            previous,
            hash: 'b'.repeat(64),
            ...credits,
          };
          await tx`insert into credit_entries ${tx({ ...row, purchase_id: id, ...columns } as never)}`;
        }),
      );
    expect(await both({ amount: 26, balance: 40 })).toBe('credit_purchase_credited');
    expect(await both({})).toBe('kept');
    expect(
      await refusal(
        sql`update purchases set status = 'pending', completed_at = null where status = 'completed'`,
      ),
    ).toBe('purchases_final');
    expect(
      await refusal(sql`update purchases set status = 'refunded' where status = 'completed'`),
    ).toBe('credit_purchase_refunded');
    expect(
      await refusal(
        sql`update purchases set payment_reference = 'other' where status = 'completed'`,
      ),
    ).toBe('purchases_final');
    expect(
      await refusal(sql`update purchases set credits_amount = 1000 where id = ${pending}`),
    ).toBe(restrict);
    expect(
      await refusal(
        sql`update purchases set status = 'completed', completed_at = now(), payment_reference = 'x'
          where id = ${pending}`,
      ),
    ).toBe('credit_purchase_credited');
  });
});

describe('the chains', () => {
  const faults = async () => (await verifyCredits(market.job('verify'))).faults;
  const at = (serial: number) => `member = ${number} and serial = ${serial}`;

  test('are whole, and all are walked', async () => {
    expect(await verifyCredits(market.job('verify'))).toEqual({
      members: 2,
      entries: 7,
      faults: [],
    });
  });

  test.each([
    'amount = -7',
    'balance = 9',
    "kind = 'correction', reference_type = null, reference_id = null, reason = 'x'",
    "at = at - interval '1 day'",
    `reference_id = '${randomUUID()}'`,
    `id = '${randomUUID()}'`,
    `hash = '${'c'.repeat(64)}'`,
  ])('name an entry that was changed behind the triggers’ back: %s', async (change) => {
    await behindTheTriggers(market, `update credit_entries set ${change} where ${at(3)}`);
    expect(await faults()).toContainEqual({ member: number, entry: 3, what: 'changed' });
    expect((await faults()).every((fault) => fault.member === number)).toBe(true);
  });

  test('name an entry that is missing: in between, at the end, and all of them', async () => {
    const gone = (where: string) =>
      behindTheTriggers(market, `delete from credit_entries where ${where}`);
    await gone(at(3));
    expect(await faults()).toEqual([{ member: number, entry: 3, what: 'missing' }]);
    await gone(at(5));
    expect(await faults()).toEqual(
      [3, 5].map((entry) => ({ member: number, entry, what: 'missing' })),
    );
    await gone(`member = ${other}`);
    expect(await faults()).toContainEqual({ member: other, entry: 2, what: 'missing' });
  });

  test('name an account whose balance was changed, and entries that are nobody’s', async () => {
    await behindTheTriggers(
      market,
      `update credit_accounts set balance = 1000 where number = ${number}`,
    );
    await behindTheTriggers(market, `delete from credit_accounts where number = ${other}`);
    expect(await faults()).toEqual(
      [number, other].map((of) => ({ member: of, entry: null, what: 'account' })),
    );
    await behindTheTriggers(
      market,
      `update credit_accounts set balance = 14, entries = 2 where number = ${number}`,
    );
    expect(await faults()).toHaveLength(2);
  });

  test('name an entry that takes the place of another, although it was signed', async () => {
    // Entries 2 and 3 are removed, and the rest renumbered without a gap.
    await behindTheTriggers(
      market,
      `delete from credit_entries where member = ${number} and serial in (2, 3, 4)`,
    );
    await behindTheTriggers(market, `update credit_entries set serial = 2 where ${at(5)}`);
    await behindTheTriggers(
      market,
      `update credit_accounts set entries = 2 where number = ${number}`,
    );
    expect(await faults()).toEqual([{ member: number, entry: 2, what: 'changed' }]);
  });

  test('are walked every night, with every other rule of the market', async () => {
    const job = schedule.find(({ name }) => name === 'check-market') as Job;
    const inHealth = async () =>
      (await checkHealth(market.job('check-health'))).checks.find(
        ({ name }) => name === 'integrity',
      );
    expect(await inHealth()).toMatchObject({ code: 'admin:health.healthyText.integrity' });
    await behindTheTriggers(market, `delete from credit_entries where ${at(3)}`);
    const { detail } = await runJob(market.host, job);
    expect(detail).toMatchObject({
      wrong: expect.arrayContaining([
        expect.objectContaining({ name: 'chains', ids: [`${number} 3 missing`] }),
      ]),
    });
    // The health page must report it after one night, not three.
    expect(await inHealth()).toMatchObject({
      status: 'error',
      code: 'admin:health.rulesBroken',
      params: { date: market.clock.now().toISOString() },
    });
  });

  test('leave the words of a correction out: they are no part of what is signed', async () => {
    await behindTheTriggers(
      market,
      `update credit_entries set reason = 'forgotten' where ${at(1)}`,
    );
    expect(await faults()).toEqual([]);
  });
});

describe('a member’s own CSV', () => {
  const csv = async (language: Language = 'en') =>
    statementCsv(await wholeStatement(await market.ctx(member)), language);

  test('is found to be the ledger’s, also when entries have come since', async () => {
    const kept = await csv();
    const french = await csv('fr');
    await pay(await market.ctx(member));
    for (const statement of [kept, french])
      expect(await checkStatement(market.job('verify'), statement)).toEqual({
        lines: 5,
        faults: [],
      });
  });

  test('shows a line that was changed in it, and one that the ledger has lost', async () => {
    const kept = await csv();
    const forged = kept
      .replace(',-2,8,', ',-2,800,')
      .replace(',1,correction,10,10,', ',1,correction,10,9,');
    expect((await checkStatement(market.job('verify'), forged)).faults).toEqual([
      { line: 2, what: 'notIssued' },
      { line: 3, what: 'notIssued' },
    ]);
    expect((await checkStatement(market.job('verify'), 'a,b\r\n=1,2\r\n')).faults).toEqual([
      { line: 2, what: 'notIssued' },
    ]);
    await behindTheTriggers(
      market,
      `delete from credit_entries where member = ${number} and serial = 5`,
    );
    expect((await checkStatement(market.job('verify'), kept)).faults).toEqual([
      { line: 6, what: 'notInLedger' },
    ]);
  });

  test('cannot make a spreadsheet calculate', async () => {
    await behindTheTriggers(
      market,
      `update credit_entries set reason = '=HYPERLINK("x"),2' where member = ${number} and serial = 1`,
    );
    const kept = await csv();
    expect(kept).toContain(`"'=HYPERLINK(""x""),2"`);
    expect(await checkStatement(market.job('verify'), kept)).toEqual({ lines: 5, faults: [] });
  });
});
