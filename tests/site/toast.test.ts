import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '../../site/src/lib/toast.ts';

/** Fakes the parts of an element that a toast uses; `held` is hover or focus. */
class FakeElement {
  children: unknown[] = [];
  dataset = {};
  parentElement: FakeElement | undefined;
  held = false;
  append(...more: unknown[]) {
    for (const child of more) if (child instanceof FakeElement) child.parentElement = this;
    this.children.push(...more);
  }
  remove() {
    const from = this.parentElement;
    if (from) from.children = from.children.filter((child) => child !== this);
  }
  addEventListener() {}
  setAttribute() {}
  matches(selector: string) {
    return this.held && selector.includes(':hover') && selector.includes(':focus-within');
  }
}

const body = new FakeElement();
let region: FakeElement;
beforeEach(() => {
  vi.useFakeTimers();
  region = new FakeElement();
  body.append(region);
  const querySelector = (selector: string) => (selector === '.notices' ? region : null);
  vi.stubGlobal('document', { body, querySelector, createElement: () => new FakeElement() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['short', 'Copied', undefined],
  [
    'long',
    'Your post is published',
    'It cost 2 credits. Members who can help you now see it on the board, and write to you on WhatsApp. '.repeat(
      3,
    ),
  ],
])('a %s message stays for four to five seconds', (_, text, detail) => {
  toast(text, { detail });
  vi.advanceTimersByTime(4000);
  expect(region.children).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(region.children).toEqual([]);
});

test('a message stays while it is pointed at or focused, and goes soon after', () => {
  toast('Copied');
  const [line] = region.children as FakeElement[];
  if (!line) throw new Error('No message');
  line.held = true;
  vi.advanceTimersByTime(60_000);
  expect(region.children).toEqual([line]);
  line.held = false;
  vi.advanceTimersByTime(1000);
  expect(region.children).toEqual([]);
});
