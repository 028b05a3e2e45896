import { hasPhoneNumber } from './phoneNumbers.ts';

/** Fields that never reach a log, at any depth and in any case (product §10). */
const secretFields = ['password', 'token', 'apikey', 'secret', 'whatsapp'];

/** Copies a value for a log: secret fields read `[redacted]`, private words are hidden, errors keep what {@link kept} names, cycles end. */
export const redact = (value: unknown): unknown => copyOf(value, hidePrivate);

/** The same for the audit log, which only admins read: it names people by their mail addresses. */
export const redactForAdmins = (value: unknown): unknown => copyOf(value, hideSecrets);

/** What a log says of an error. Not its other fields: those of the database quote what was sent to it. */
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

/** What no text may carry into a log, an error's least of all: what {@link hideSecrets} hides, and mail addresses. */
export const hidePrivate = (text: string): string =>
  hideSecrets(text).replaceAll(/[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi, '[address]');

/** The parameters of a failed statement, which database errors quote over as many lines as they have, phone numbers, and what signs somebody in. */
function hideSecrets(text: string): string {
  return text
    .replaceAll(/\bparams: [\s\S]*?(?=\n {4}at |$)/g, 'params: [redacted]')
    .replaceAll(/((?:token|code|password|secret)=|reset-password:)[^&;\s"'<>)]+/gi, '$1[redacted]')
    .replaceAll(/(:\/\/)[^\s/@]+@/g, '$1[redacted]@')
    .replaceAll(/\+\d{7,15}/g, '+[redacted]');
}

/**
 * The message of an error for the public, without a stack: what {@link hidePrivate} hides, SQL, paths of files and any phone number are left out.
 * An error that wraps another one gives that one's message, which says what happened.
 */
export function publicMessage(error: unknown): string {
  let deepest = error;
  for (let depth = 0; deepest instanceof Error && deepest.cause && depth < 10; depth++)
    deepest = deepest.cause;
  const message = hidePrivate(deepest instanceof Error ? deepest.message : String(deepest))
    .replaceAll(/Failed query: [\s\S]*/g, 'Failed query: [redacted]')
    .replaceAll(/(?:file:\/\/)?(?<![\w.\]])(?:\/[\w.@+-]+){2,}\/?/g, '[path]');
  return hasPhoneNumber(message) ? '[redacted]' : message.slice(0, 300);
}
