import { describe, expect, test } from 'vitest';
import { shortColour } from '../../site/src/features/market/slots.ts';
import { endMark } from '../../site/src/lib/countdown.ts';

describe('what a stall says shortly', () => {
  test('the colour of a photo, to the nearest of three digits', () => {
    expect(['#98a878', '#000000', '#ffffff', '#08f7e9'].map(shortColour)).toEqual([
      '#9a7',
      '#000',
      '#fff',
      '#0fe',
    ]);
  });

  test('an end, to the second', () => {
    for (const end of ['2026-11-22T10:52:02.275Z', '2026-11-22T10:52:02Z'])
      expect(endMark(end)).toBe('towguq');
    expect(Number.parseInt(endMark('2126-10-29T00:00:00Z'), 36) * 1000).toBe(
      Date.parse('2126-10-29T00:00:00Z'),
    );
  });
});
