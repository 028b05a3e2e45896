import { keptMs } from '../shared/retention/periods.ts';

const minutes = 60_000;

/** Limits of one's own account (decision 040). */
export const limits = {
  /** Time to cancel a deletion. */
  graceMs: keptMs('leavingAccounts'),
  /** A session younger than this replaces the password where there is none. */
  freshMs: 10 * minutes,
  /** Mails that prove an address, per hour; lifetime of their links. */
  emailsAnHour: 5,
  emailLinkMs: 60 * minutes,
  /**
   * Time in which a left address can be taken back and no other account can have it (decision 040).
   */
  takeBackMs: keptMs('leftMailAddresses'),
  /** Downloads per day; lifetime of their links. */
  exportsADay: 3,
  exportLinkMs: 5 * minutes,
  /** After this, an unfinished download no longer blocks the next. */
  exportMs: 15 * minutes,
} as const;

/** Time at which a leaving account is deleted. */
export const goneAt = (leavingAt: Date): Date => new Date(leavingAt.getTime() + limits.graceMs);

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;
const found = <Name extends string>(
  among: readonly (readonly [Name, RegExp])[],
  text: string,
): Name | null => among.find(([, sign]) => sign.test(text))?.[0] ?? null;

/** Browser and system names that people know, from the user agent. */
export function deviceOf(userAgent: string | null): {
  browser: string | null;
  system: string | null;
} {
  const text = userAgent ?? '';
  return { browser: found(browsers, text), system: found(systems, text) };
}
