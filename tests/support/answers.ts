import type { Person } from './actors.ts';

/** A request that its actor may make: `path` fills the route's parameters in order. */
export type Ask = {
  as: Person;
  path?: (string | number)[];
  query?: string;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  /** For answers with measured or random figures: only their shape is compared. */
  shape?: true;
};
/** An answer without its ids, slugs, versions, references, files and people, which are new each time. */
export const nameless = (text: string) =>
  text
    .replaceAll(/products\/[\w-]+/g, 'file')
    .replaceAll(
      /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8,}\b|M54-\w{4}-\w{4}/g,
      'id',
    )
    .replaceAll(/cards\/[^"]+|person\d+@|"(?:number|member)":\d+/g, 'new');

/** The names and types of a JSON value, without its contents. */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shapeOf(entry)]));
};
