import { type FieldProblem, Refusal } from '../shared/errors.ts';

/** Postgres stores neither NUL nor a lone surrogate. */
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/**
 * Refuses text that no column can store, before any schema: `validation` with the fields,
 * `malformedJson` for a field's name. Nesting was limited before (http.ts).
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

/** No address has control characters, and readers interpret them differently. */
const control = /\p{Cc}/u;

/** Refuses `malformedAddress` for invalid percent encoding or control characters in a path. */
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
