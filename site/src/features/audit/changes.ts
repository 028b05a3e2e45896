export type Changed = { field: string; before: string | null; after: string | null };

/** Before and after side by side, a row for each field that differs; a value that is no object is one row. */
export function changes(before: unknown, after: unknown): Changed[] {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = (value: unknown) => (value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value));
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return [{ field: '', before: text(before), after: text(after) }];
  const [old, now] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((field) => ({ field, before: text(old[field]), after: text(now[field]) }))
    .filter((row) => row.before !== row.after);
}
