const minutes = 60_000;

/** What one's own account goes by (decision 040). */
export const limits = {
  /** To change one's mind about a deletion. */
  graceMs: 7 * 24 * 60 * minutes,
  /** A session younger than this shows who sits there, where there is no password to ask for. */
  freshMs: 10 * minutes,
  /** Letters that prove an address, asked for in an hour, and how long one's link is good. */
  emailsAnHour: 5,
  emailLinkMs: 60 * minutes,
  /** An address that an account left takes it back by its link, and is nobody else's (decision 067). */
  takeBackMs: 7 * 24 * 60 * minutes,
  /** Downloads of one's data in a day, and how long one's link is good. */
  exportsADay: 3,
  exportLinkMs: 5 * minutes,
  /** A download that was never seen to end no longer stands in the way of the next. */
  exportMs: 15 * minutes,
} as const;

/** When an account goes that somebody asked to delete. */
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

/** What a browser says of itself, in the words that people know it by. */
export function deviceOf(userAgent: string | null): {
  browser: string | null;
  system: string | null;
} {
  const text = userAgent ?? '';
  return { browser: found(browsers, text), system: found(systems, text) };
}
