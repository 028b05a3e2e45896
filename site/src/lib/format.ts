import { cutEnd } from '../../../api/shared/cutEnd.ts';
import { money } from '../../../api/shared/text.ts';
import { dateTag, type Language } from '../../../locales/languages.ts';

const timeZone = 'Africa/Douala';

const made = new Map<string, unknown>();

/** Caches formatters, which are slow to create. */
function once<Formatter>(key: string, make: () => Formatter): Formatter {
  let formatter = made.get(key) as Formatter | undefined;
  if (!formatter) {
    formatter = make();
    made.set(key, formatter);
  }
  return formatter;
}

/** A card's price, or null unless it is above zero (product §2). */
export function priceText(amount: number | null | undefined, language: Language): string | null {
  return typeof amount === 'number' && amount > 0 ? money(amount, language) : null;
}

export function number(
  value: number,
  language: Language,
  options?: Intl.NumberFormatOptions,
): string {
  return once(
    `number ${language} ${JSON.stringify(options ?? '')}`,
    () => new Intl.NumberFormat(language, options),
  ).format(value);
}

export function percent(share: number, language: Language): string {
  return number(share, language, { style: 'percent', maximumFractionDigits: 1 });
}

const dateStyles = {
  /** 22 Nov 2026 */
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  /** November 2026 */
  month: { month: 'long', year: 'numeric' },
  /** 22 Nov */
  day: { day: 'numeric', month: 'short' },
  /** Sun */
  weekday: { weekday: 'short' },
  /** 22 Nov, 14:05 */
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** Sunday 22 November at 14:05 */
  full: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  /** 14:05 */
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** 14:05:33, 22 Nov 2026 */
  exact: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** An absolute time, always in Douala's zone (product R42). */
export function dateTime(
  when: Date | string | number,
  language: Language,
  style: keyof typeof dateStyles = 'short',
): string {
  return once(
    `date ${language} ${style}`,
    () => new Intl.DateTimeFormat(dateTag(language), { ...dateStyles[style], timeZone }),
  ).format(new Date(when));
}

/** Minutes under 60, then hours under 24, then days (product §10). */
export function age(since: Date | string | number, now: Date | number, language: Language): string {
  const minutes = Math.max(0, Math.floor((Number(now) - new Date(since).getTime()) / 60_000));
  const [value, unit] =
    minutes < 60
      ? ([minutes, 'minute'] as const)
      : minutes < 1440
        ? ([Math.floor(minutes / 60), 'hour'] as const)
        : ([Math.floor(minutes / 1440), 'day'] as const);
  return once(
    `age ${language}`,
    () => new Intl.RelativeTimeFormat(language, { numeric: 'always' }),
  ).format(-value, unit);
}

/** '24 hours', '3 jours': hours under 24, else days (product §2, pending list). */
export function duration(seconds: number, language: Language): string {
  const hours = Math.round(seconds / 3600);
  return hours < 24
    ? number(hours, language, { style: 'unit', unit: 'hour', unitDisplay: 'long' })
    : number(Math.round((hours / 24) * 10) / 10, language, {
        style: 'unit',
        unit: 'day',
        unitDisplay: 'long',
      });
}

/** '812 B', '1,2 Mo': in thousands, as data bundles are sold. */
export function bytes(size: number, language: Language): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let value = size;
  let rank = 0;
  while (value >= 999.5 && rank < units.length - 1) {
    value /= 1000;
    rank += 1;
  }
  return number(value, language, {
    style: 'unit',
    unit: units[rank],
    unitDisplay: rank === 0 ? 'narrow' : 'short',
    maximumFractionDigits: value < 10 && rank > 0 ? 1 : 0,
  });
}

/** Cuts text to `limit` characters, between words where that loses little. */
export function clamp(text: string, limit: number): string {
  const clean = text.replace(/\s+/g, ' ').trim();
  const letters = [...clean];
  if (letters.length <= limit) return clean;
  const cut = letters.slice(0, limit - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${cutEnd(space > cut.length * 0.6 ? cut.slice(0, space) : cut, /[\s.,;:!?–—-]/u)}…`;
}

/** 'city, region' without empty parts, or null when both are (product §2). */
export function place(
  city: string | null | undefined,
  region: string | null | undefined,
): string | null {
  return (
    [city, region]
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(', ') || null
  );
}
