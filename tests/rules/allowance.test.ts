import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { type Verdict, verdictOn } from '../../api/engagement/allowance.ts';
import type { EngagementEvent } from '../../api/engagement/schema.ts';
import { createLoad } from '../../api/http/load.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { standingClock } from '../support/clock.ts';

const clock = standingClock();
let load = createLoad({ LOAD_LIMITS: 1 });
beforeEach(() => {
  load = createLoad({ LOAD_LIMITS: 1 });
});

type Input = {
  visitor?: string;
  address?: string;
  slotId?: number;
  type?: EngagementEvent['type'];
};
const ask = ({ visitor, address = 'a', slotId = 1, type = 'view' }: Input = {}): Verdict => {
  const client = { visitor: visitor ?? null, addressHash: address, userAgent: 'Mozilla/5.0' };
  return verdictOn({ client, services: { load }, now: clock.now } as unknown as Ctx, {
    slotId,
    productId: '1a2b3c4d',
    type,
  });
};
const tally = (times: number, inputOf: (n: number) => Input): Partial<Record<Verdict, number>> => {
  const counts: Partial<Record<Verdict, number>> = {};
  for (let n = 0; n < times; n++) {
    const verdict = ask(inputOf(n));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
};

describe('visitors whom the market does not know', () => {
  test('count thirty times of a kind for a product in half an hour, and are greeted beyond', () => {
    expect(tally(40, () => ({}))).toEqual({ counts: 30, greeted: 10 });
    expect(tally(40, () => ({ type: 'share' }))).toEqual({ counts: 30, greeted: 10 });
    expect(tally(40, () => ({ slotId: 2 }))).toEqual({ counts: 30, greeted: 10 });
    clock.advance({ minutes: 30 });
    expect(tally(40, () => ({}))).toEqual({ counts: 30, greeted: 10 });
  });

  test('are believed three hundred times an hour, whatever they look at', () => {
    expect(tally(600, (n) => ({ slotId: (n % slotCount) + 1 }))).toEqual({
      counts: 300,
      refused: 300,
    });
    expect(ask({ address: 'b' })).toBe('counts');
    clock.advance({ minutes: 1 });
    expect(tally(10, (n) => ({ slotId: n + 1 }))).toEqual({ counts: 5, refused: 5 });
  });
});

describe('visitors whom the market knows', () => {
  test('count two hundred times of a kind for a product in half an hour behind one address', () => {
    expect(tally(300, (n) => ({ visitor: `v${n}` }))).toEqual({ counts: 200, greeted: 100 });
    expect(ask({ visitor: 'v1', slotId: 2 })).toBe('counts');
    expect(ask({ visitor: 'v1', address: 'b' })).toBe('counts');
  });

  test('count whatever the unknown ones of their address do', () => {
    tally(1000, (n) => ({ slotId: (n % slotCount) + 1 }));
    expect(ask({ visitor: 'known' })).toBe('counts');
  });

  test('open and share a stall ten times in half an hour each; a view is counted once by itself', () => {
    for (const type of ['click', 'share'] as const)
      expect(tally(25, () => ({ visitor: 'v', type }))).toEqual({ counts: 10, refused: 15 });
    expect(tally(25, () => ({ visitor: 'v' }))).toEqual({ counts: 25 });
    expect(ask({ visitor: 'another', type: 'click' })).toBe('counts');
  });
});

test('an operator’s factor multiplies all of it', () => {
  load = createLoad({ LOAD_LIMITS: 2 });
  expect(tally(700, (n) => ({ slotId: (n % slotCount) + 1 }))).toEqual({
    counts: 600,
    refused: 100,
  });
  expect([load.streams, load.changes.max]).toEqual([{ perAddress: 2000, all: 24_000 }, 120]);
});
