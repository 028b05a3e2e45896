import { phoneNumbersIn } from './contact/phoneNumbers.ts';

/** Never logged, at any depth and in any case (product §10). */
const secretFields = [
  ...['password', 'token', 'apikey', 'secret', 'authorization', 'cookie', 'signature'],
  ...['whatsapp', 'phone', 'msisdn'],
];

/** Copies a value for the log, without secrets, private text or cycles. */
export const redact = (value: unknown): unknown => copyOf(value, hidePrivate);

/** For the audit log, which only admins read: keeps mail addresses. */
export const redactForAdmins = (value: unknown): unknown => copyOf(value, hideSecrets);

/** Logged fields of an error; a database error's others quote query parameters. */
const kept = ['name', 'message', 'stack', 'code', 'status', 'cause'] as const;

function copyOf(
  value: unknown,
  hide: (text: string) => string,
  seen: WeakSet<object> = new WeakSet(),
): unknown {
  if (value === null || typeof value !== 'object')
    return typeof value === 'bigint'
      ? value.toString()
      : typeof value === 'string'
        ? hide(value)
        : value;
  if (seen.has(value)) return '[again]';
  seen.add(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || value instanceof Set)
    return [...value].map((entry) => copyOf(entry, hide, seen));
  return Object.fromEntries(
    entriesOf(value).map(([name, entry]) => [
      name,
      isSecret(name) ? '[redacted]' : copyOf(entry, hide, seen),
    ]),
  );
}

function entriesOf(value: object): [string, unknown][] {
  if (value instanceof Error)
    return kept
      .map((name): [string, unknown] => [name, (value as unknown as Record<string, unknown>)[name]])
      .filter(([, entry]) => entry !== undefined);
  return value instanceof Map
    ? [...value].map(([name, entry]) => [String(name), entry])
    : Object.entries(value);
}

function isSecret(field: string): boolean {
  const name = field.toLowerCase().replaceAll(/[_-]/g, '');
  return secretFields.some((secret) => name.includes(secret));
}

/** Hides secrets, mail addresses and phone numbers in a text. */
export const hidePrivate = (text: string): string =>
  hideNumbers(
    hideSecrets(text).replaceAll(/[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, '[address]'),
  );

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}/gi;

/** Ids and hashes keep digits that look like a number by chance. */
function hideNumbers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: id, index } of text.matchAll(ids)) {
    if (!/[a-f]/i.test(id)) continue;
    parts.push(withoutNumbers(text.slice(from, index)), id);
    from = index + id.length;
  }
  return [...parts, withoutNumbers(text.slice(from))].join('');
}

function withoutNumbers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of phoneNumbersIn(text)) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join('[redacted]');
}

/** Hides statement parameters (which may span lines), credentials and phone numbers. */
function hideSecrets(text: string): string {
  return text
    .replaceAll(/\bparams: [\s\S]*?(?=\n {4}at |$)/g, 'params: [redacted]')
    .replaceAll(/((?:token|code|password|secret)=|reset-password:)[^&;\s"'<>)]+/gi, '$1[redacted]')
    .replaceAll(/(:\/\/)[^\s/@]+@/g, '$1[redacted]@')
    .replaceAll(/\+\d{7,15}/g, '+[redacted]');
}

/**
 * An error's message for the public, from its deepest cause, without private text, SQL, paths or
 * phone numbers.
 */
export function publicMessage(error: unknown): string {
  let deepest = error;
  for (let depth = 0; deepest instanceof Error && deepest.cause && depth < 10; depth++)
    deepest = deepest.cause;
  const message = hidePrivate(deepest instanceof Error ? deepest.message : String(deepest))
    .replaceAll(/Failed query: [\s\S]*/g, 'Failed query: [redacted]')
    .replaceAll(/(?:file:\/\/)?(?<![\w.\]])(?:\/[\w.@+-]+){2,}\/?/g, '[path]');
  return message.slice(0, 300);
}
