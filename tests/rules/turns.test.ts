import { describe, expect, test } from 'vitest';
import { createTurns } from '../../api/http/turns.ts';

const roundOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('of one key are no more than it may have, and follow in the order in which they were asked for', async () => {
    const turns = createTurns({ perKey: 2, all: 8, waitingPerKey: 10 });
    const begun: number[] = [];
    const backs = new Map<number, () => void>();
    for (const n of [1, 2, 3, 4])
      turns.take('a')?.then((back) => {
        begun.push(n);
        backs.set(n, back);
      });
    await roundOfTheLoop();
    expect(begun).toEqual([1, 2]);
    backs.get(2)?.();
    await roundOfTheLoop();
    expect(begun).toEqual([1, 2, 3]);
    expect([turns.active, turns.waiting]).toEqual([2, 1]);
  });

  test('go round the keys: a burst of one delays another by one turn', async () => {
    const turns = createTurns({ perKey: 2, all: 2, waitingPerKey: 1000 });
    const order: string[] = [];
    const ask = (key: string) =>
      turns.take(key)?.then(async (back) => {
        order.push(key);
        await roundOfTheLoop();
        back();
      });
    const burst = Array.from({ length: 300 }, () => ask('attacker'));
    const good = [ask('buyer'), ask('other')];
    await Promise.all([...burst, ...good]);
    expect(order.indexOf('buyer')).toBeLessThanOrEqual(3);
    expect(order.indexOf('other')).toBeLessThanOrEqual(5);
    expect([turns.active, turns.waiting]).toEqual([0, 0]);
  });

  test('are refused to a key with too many that wait, and to no other', async () => {
    const turns = createTurns({ perKey: 1, all: 4, waitingPerKey: 2 });
    const asked = Array.from({ length: 4 }, () => turns.take('a'));
    expect(asked.map((turn) => turn !== undefined)).toEqual([true, true, true, false]);
    const back = await turns.take('b');
    expect(back).toBeTypeOf('function');
  });

  test('given back twice count once', async () => {
    const turns = createTurns({ perKey: 1, all: 1, waitingPerKey: 5 });
    const back = await turns.take('a');
    back?.();
    back?.();
    await turns.take('a');
    expect(turns.active).toBe(1);
  });
});
