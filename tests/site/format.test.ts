import { describe, expect, test } from 'vitest';
import { slotNumber } from '../../api/shared/slots.ts';
import { money } from '../../api/shared/text.ts';
import { countdownParts } from '../../site/src/lib/countdown.ts';
import {
  age,
  bytes,
  clamp,
  dateTime,
  duration,
  percent,
  place,
  priceText,
} from '../../site/src/lib/format.ts';

const spaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('money', () => {
  test('is XAF 12,500 in English and 12 500 XAF in French', () => {
    expect(spaces(money(12500, 'en'))).toBe('XAF 12,500');
    expect(spaces(money(12500, 'fr'))).toBe('12 500 XAF');
  });

  test('never breaks in the middle and has no decimals', () => {
    expect(money(1234567.89, 'fr')).not.toContain(' ');
    expect(money(1234567.89, 'en')).not.toContain(' ');
    expect(spaces(money(1234567.89, 'en'))).toBe('XAF 1,234,568');
  });

  test('is shown on a card only when greater than zero', () => {
    expect(priceText(0, 'en')).toBeNull();
    expect(priceText(-5, 'en')).toBeNull();
    expect(priceText(null, 'fr')).toBeNull();
    expect(spaces(priceText(100, 'fr') ?? '')).toBe('100 XAF');
  });

  test('has its share too', () => {
    expect(percent(0.1234, 'en')).toBe('12.3%');
    expect(spaces(percent(0.1234, 'fr'))).toBe('12,3 %');
  });
});

describe('time', () => {
  test('is Douala time whatever the machine thinks', () => {
    expect(dateTime('2026-11-22T13:05:00Z', 'en')).toBe('22 Nov, 14:05');
    expect(dateTime('2026-12-31T23:30:00Z', 'en', 'date')).toBe('1 Jan 2027');
    expect(spaces(dateTime('2026-11-22T13:05:00Z', 'fr'))).toBe('22 nov., 14:05');
  });

  test('writes midnight as 00, not 24', () => {
    expect(dateTime('2026-11-22T23:00:00Z', 'en', 'time')).toBe('00:00');
  });

  test('gives the age of a post in minutes under 60, hours under 24, then days', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    expect(age(now - 59 * 60_000, now, 'en')).toBe('59 minutes ago');
    expect(age(now - 60 * 60_000, now, 'en')).toBe('1 hour ago');
    expect(age(now - 23.9 * 3_600_000, now, 'en')).toBe('23 hours ago');
    expect(age(now - 45 * 86_400_000, now, 'fr')).toBe('il y a 45 jours');
    expect(age(now + 60_000, now, 'en')).toBe('0 minutes ago');
  });

  test('gives a duration in hours under 24 hours, else in days', () => {
    expect(duration(6 * 3600, 'en')).toBe('6 hours');
    expect(duration(24 * 3600, 'en')).toBe('1 day');
    expect(spaces(duration(72 * 3600, 'fr'))).toBe('3 jours');
  });
});

describe('the countdown', () => {
  test('counts hours beyond a day, and reads 00:00:01 until the very end', () => {
    expect(countdownParts(120 * 3_600_000)).toEqual({
      state: 'calm',
      hours: '120',
      minutes: '00',
      seconds: '00',
    });
    expect(countdownParts(1)).toEqual({
      state: 'urgent',
      hours: '00',
      minutes: '00',
      seconds: '01',
    });
  });

  test('is calm, warm in the last six hours, urgent in the last one, expired from zero', () => {
    expect(countdownParts(25 * 3_600_000).state).toBe('calm');
    expect(countdownParts(6 * 3_600_000).state).toBe('calm');
    expect(countdownParts(6 * 3_600_000 - 1).state).toBe('warm');
    expect(countdownParts(3_600_000 - 1).state).toBe('urgent');
    expect(countdownParts(0).state).toBe('expired');
    expect(countdownParts(-5000)).toEqual({
      state: 'expired',
      hours: '00',
      minutes: '00',
      seconds: '00',
    });
  });
});

describe('small things', () => {
  test('bytes are counted in thousands', () => {
    expect(spaces(bytes(812, 'en'))).toBe('812B');
    expect(spaces(bytes(1_240_000, 'en'))).toBe('1.2 MB');
    expect(spaces(bytes(1_240_000, 'fr'))).toBe('1,2 Mo');
    expect(spaces(bytes(999_700, 'en'))).toBe('1 MB');
  });

  test('text is cut between words and never inside a letter', () => {
    expect(clamp('Short', 60)).toBe('Short');
    expect(clamp('A talking drum from Foumban, tuned for weddings', 30)).toBe(
      'A talking drum from Foumban…',
    );
    expect([...clamp('🥁'.repeat(20), 10)]).toHaveLength(10);
    expect(clamp('  two\n\nlines ', 60)).toBe('two lines');
  });

  test('a place is city, region without what is empty', () => {
    expect(place(' Douala ', 'Littoral')).toBe('Douala, Littoral');
    expect(place('', 'Ouest')).toBe('Ouest');
    expect(place('Kribi', '  ')).toBe('Kribi');
    expect(place(' ', null)).toBeNull();
  });

  test('a slot number has two digits', () => {
    expect(slotNumber(7)).toBe('07');
    expect(slotNumber(54)).toBe('54');
  });
});
