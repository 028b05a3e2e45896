import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { slotCount } from '../../api/shared/slots.ts';
import { drawings } from '../../site/src/features/live/Drawing.tsx';
import {
  type Change,
  openEventStream,
  pollMs,
  restMs,
  retryAfter,
} from '../../site/src/features/live/eventStream.ts';
import { concerns } from '../../site/src/features/live/product.ts';
import { $connection } from '../../site/src/features/live/stores.ts';
import { askFor } from '../../site/src/features/market/grid.ts';
import { cacheUntil, type Slot, stallsIn } from '../../site/src/features/market/slots.ts';
import { icons } from '../../site/src/ui/icons.ts';

/** A fake `EventSource`. */
class Line extends EventTarget {
  static readonly CLOSED = 2;
  static all: Line[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Line.all.push(this);
  }
  static get newest(): Line {
    return Line.all.at(-1) as Line;
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  fail(forGood = false) {
    this.readyState = forGood ? Line.CLOSED : 0;
    this.dispatchEvent(new Event('error'));
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('change', { data }));
  }
  close() {
    this.readyState = Line.CLOSED;
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
let frame = new EventTarget();
let told: string[] = [];
let refused = 0;
let hangUp = () => {};
const words = (changes: readonly Change[]) =>
  changes.map(({ kind, id }) => `${kind}:${id}`).join(' ');
const hide = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  Line.all = [];
  told = [];
  page.hidden = false;
  frame = Object.assign(new EventTarget(), { EventSource: Line });
  vi.stubGlobal('EventSource', Line);
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', frame);
  refused = 0;
  hangUp = openEventStream({
    onChanges: (changes) => told.push(words(changes)),
    onRefused: () => refused++,
  });
});
afterEach(() => {
  hangUp();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the line of an open page', () => {
  test('gathers a burst for a second after its first change, and says each thing once', () => {
    Line.newest.open();
    Line.newest.say('slot:7');
    vi.advanceTimersByTime(900);
    Line.newest.say('slot:7');
    Line.newest.say('product:a-b');
    expect(told).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['slot:7 product:a-b']);
    vi.advanceTimersByTime(5000);
    expect(told).toHaveLength(1);
  });

  test('tells of each change at once to who wants to show it', () => {
    hangUp();
    const heard: string[] = [];
    hangUp = openEventStream({
      onNews: (change) => heard.push(words([change])),
      onChanges: () => {},
    });
    Line.newest.say('slot:54');
    expect(heard).toEqual(['slot:54']);
  });

  test('looks at everything after it was lost, not when it opens first', () => {
    Line.newest.open();
    vi.advanceTimersByTime(2000);
    expect(told).toEqual([]);
    Line.newest.fail();
    expect($connection.get()).toBe('reconnecting');
    Line.newest.open();
    expect($connection.get()).toBe('live');
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['all:']);
  });

  test('hands the page’s version over at its first opening, and looks at everything at later ones', () => {
    hangUp();
    hangUp = openEventStream({ since: 'a1b2', onChanges: (changes) => told.push(words(changes)) });
    expect(Line.newest.url).toBe('/api/live?since=a1b2');
    // Refused before it ever opened, so the next one still counts as the first.
    Line.newest.fail(true);
    vi.advanceTimersByTime(3000);
    expect(Line.newest.url).toBe('/api/live?since=a1b2');
    Line.newest.open();
    Line.newest.say('slot:7');
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['slot:7']);
    frame.dispatchEvent(new Event('online'));
    expect(Line.newest.url).toBe('/api/live');
    Line.newest.open();
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['slot:7', 'all:']);
  });

  test('looks at everything when the page comes back out of the browser’s memory', () => {
    Line.newest.open();
    frame.dispatchEvent(new Event('pagehide'));
    frame.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(Line.all).toHaveLength(2);
    Line.newest.open();
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['all:']);
  });

  test('asks once a minute where events are blocked, and not while nobody looks', () => {
    for (let attempt = 0; attempt < 3; attempt++) Line.newest.fail();
    expect($connection.get()).toBe('polling');
    expect(Line.newest.readyState).toBe(Line.CLOSED);
    vi.advanceTimersByTime(pollMs);
    expect(told).toEqual(['all:']);
    page.hidden = true;
    vi.advanceTimersByTime(pollMs * 3);
    expect(told).toHaveLength(1);
  });

  test('opens another one after an answer that ended it for good, later each time', () => {
    Line.newest.open();
    // Browsers resume a broken stream; a refused one is reported, since an admin may be signed out.
    Line.newest.fail();
    expect(refused).toBe(0);
    Line.newest.fail(true);
    expect(refused).toBe(1);
    expect(Line.all).toHaveLength(1);
    vi.advanceTimersByTime(6000);
    expect(Line.all).toHaveLength(2);
    for (let failures = 1; failures < 12; failures++) {
      expect(retryAfter(failures, 0)).toBeGreaterThanOrEqual(1500);
      expect(retryAfter(failures, 1)).toBeLessThanOrEqual(60_000);
    }
    expect(retryAfter(4, 0.5)).toBeGreaterThan(retryAfter(2, 0.5));
    expect(retryAfter(2, 0.1)).not.toBe(retryAfter(2, 0.9));
  });

  test('lets go when the page rests, and looks again when it is back', () => {
    Line.newest.open();
    hide(true);
    vi.advanceTimersByTime(restMs - 1);
    expect($connection.get()).toBe('live');
    vi.advanceTimersByTime(1);
    expect($connection.get()).toBe('off');
    hide(false);
    expect(Line.all).toHaveLength(2);
    Line.newest.open();
    vi.advanceTimersByTime(1000);
    expect(told).toEqual(['all:']);
  });

  test('stays when somebody only looks away for a moment', () => {
    Line.newest.open();
    hide(true);
    vi.advanceTimersByTime(10_000);
    hide(false);
    vi.advanceTimersByTime(restMs);
    expect(Line.all).toHaveLength(1);
  });

  test('notices that the device slept, and takes up a new line', () => {
    Line.newest.open();
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(15_000);
    expect(Line.all).toHaveLength(2);
    expect(Line.all[0]?.readyState).toBe(Line.CLOSED);
  });

  test('takes up a new line when the phone is online again', () => {
    Line.newest.open();
    frame.dispatchEvent(new Event('online'));
    Line.newest.open();
    vi.advanceTimersByTime(1000);
    expect(Line.all).toHaveLength(2);
    expect(told).toEqual(['all:']);
  });

  test('is silent after it was hung up', () => {
    Line.newest.say('slot:1');
    hangUp();
    vi.advanceTimersByTime(10 * pollMs);
    frame.dispatchEvent(new Event('online'));
    expect(told).toEqual([]);
    expect(Line.all).toHaveLength(1);
  });
});

describe('what is asked for after news', () => {
  const slotOf = (product: string) => ({ radio: '12', gown: '1' })[product];
  const change = (text: string): Change => ({
    kind: text.split(':')[0] as Change['kind'],
    id: text.split(':')[1] ?? '',
  });

  test.each([
    [
      ['slot:9', 'slot:3', 'slot:9'],
      [3, 9],
    ],
    [
      ['product:radio', 'slot:3'],
      [3, 12],
    ],
    [['product:unknown'], []],
    [['slot:3', 'seller:x'], 'all'],
    [['settings:statsMeasured'], 'all'],
    [['all:'], 'all'],
  ])('%j asks for %j', (changes, wanted) => {
    expect(askFor(changes.map(change), slotOf)).toEqual(wanted);
  });

  test('on a product’s page is only what it shows', () => {
    const shown = { slot: '7', product: 'radio' };
    expect(
      ['slot:7', 'product:radio', 'seller:x', 'all:'].every((text) =>
        concerns(change(text), shown),
      ),
    ).toBe(true);
    expect(['slot:8', 'product:gown'].some((text) => concerns(change(text), shown))).toBe(false);
  });
});

describe('the page of some stalls', () => {
  test.each([
    '',
    null,
    '0',
    '55',
    '1,',
    '1,,2',
    '1;2',
    '003',
    '1,-2',
    Array.from({ length: 55 }, () => '1').join(),
  ])('refuses ids=%s', (ids) => {
    expect(stallsIn(ids)).toBeUndefined();
  });

  test('takes one to fifty-four numbers', () => {
    expect([...(stallsIn('54,3') ?? [])]).toEqual([54, 3]);
    expect(stallsIn(Array.from({ length: slotCount }, (_, n) => n + 1).join())?.size).toBe(
      slotCount,
    );
  });

  test('is true until the next of all live stalls ends', () => {
    const now = new Date('2026-11-23T08:00:00.000Z');
    const slot = (end_time: string | null) =>
      ({ slot_active: end_time !== null, product_id: 'p', product_slug: 's', end_time }) as Slot;
    expect(cacheUntil([slot(null)], now)).toBe('change');
    expect(
      cacheUntil(
        [
          slot('2026-11-25T08:00:00.000Z'),
          slot('2026-11-23T09:00:00.000Z'),
          slot('2026-11-23T07:00:00.000Z'),
        ],
        now,
      ),
    ).toBe('2026-11-23T09:00:00.000Z');
    expect(cacheUntil([slot('2026-11-23T07:00:00.000Z')], now)).toBe('change');
  });
});

test('the copied drawings are those of the kit', () => {
  for (const [name, paths] of Object.entries(drawings))
    expect(paths.map((d) => `<path d="${d}"/>`).join('')).toBe(icons[name as keyof typeof icons]);
});
