import { type FieldProblem, Refusal } from './errors.ts';

/** What Postgres cannot keep: a NUL, and half of a pair of UTF-16. */
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/**
 * Refuses input with text that no database column can keep, ahead of every schema: `validation` with the fields that hold it, or
 * `malformedJson` when a field's own name does. How deep it nests was judged before (http.ts).
 */
export function requireReadable(input: unknown): void {
  const problems: FieldProblem[] = [];
  walk(input, [], problems);
  if (problems.length > 0) throw new Refusal('validation', {}, problems);
}

function walk(value: unknown, path: readonly string[], problems: FieldProblem[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) problems.push({ path: path.join('.'), code: 'unreadable' });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) throw new Refusal('malformedJson');
    walk(inner, [...path, name], problems);
  }
}

/** Control characters, which no address of ours has, and which mean something else to each that reads them. */
const control = /\p{Cc}/u;

/** Refuses `malformedAddress` for a path whose percent signs say nothing, or say something that no path here holds. */
export function requireReadableAddress(url: string): void {
  const path = url.slice(url.indexOf('/', 8)).replace(/[?#].*/s, '');
  if (!path.includes('%')) return;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw new Refusal('malformedAddress');
  }
  if (control.test(decoded)) throw new Refusal('malformedAddress');
}
