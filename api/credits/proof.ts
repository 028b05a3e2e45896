import { inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { chainKey } from '../core/chain.ts';
import type { Ctx } from '../core/context.ts';
import { type Entry, hashOf, type Linked } from './chain.ts';
import { statementColumns } from './schema.ts';

/**
 * `notIssued`: the signature is wrong. `notInLedger`: the line was issued, but the ledger differs
 * today.
 */
export type LineFault = { line: number; what: 'notIssued' | 'notInLedger' };

/** Verifies a downloaded statement against the key and today's ledger. */
export async function checkStatement(
  ctx: Ctx,
  csv: string,
): Promise<{ lines: number; faults: LineFault[] }> {
  const [head = '', ...lines] = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const given = lines.map((line) => entryOf(line, head.includes(';') ? ';' : ','));
  const key = await chainKey(ctx, 'credits');
  const { creditEntries: e } = schema;
  const kept = new Set<string>();
  const hashes = given.flatMap((entry) => entry?.hash ?? []);
  for (let at = 0; at < hashes.length; at += 1000)
    for (const { hash } of await ctx.db
      .select({ hash: e.hash })
      .from(e)
      .where(inArray(e.hash, hashes.slice(at, at + 1000))))
      kept.add(hash);
  const faults = given.flatMap((entry, index): LineFault[] => {
    const line = index + 2;
    if (!entry || hashOf(key, entry) !== entry.hash) return [{ line, what: 'notIssued' }];
    return kept.has(entry.hash) ? [] : [{ line, what: 'notInLedger' }];
  });
  return { lines: lines.length, faults };
}

/** The cells are numbers and ids, so none is quoted. */
function entryOf(line: string, comma: string): (Linked & Pick<Entry, 'hash'>) | undefined {
  const cells = Object.fromEntries(
    line
      .split(comma)
      .map((cell, index) => [statementColumns[index] ?? '', cell === '' ? null : cell]),
  );
  const at = new Date(cells.at ?? '');
  if (!cells.hash || Number.isNaN(at.getTime())) return undefined;
  const number = (name: string) => Number(cells[name]);
  const whole = {
    member: number('member'),
    serial: number('serial'),
    amount: number('amount'),
    balance: number('balance'),
  };
  return { ...(cells as unknown as Entry), ...whole, at, previous: cells.previous ?? '' };
}
