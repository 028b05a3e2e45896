import { sql } from 'drizzle-orm';

/** The values of a vocabulary as SQL, for a check `column in (…)`. */
export const oneOf = (values: readonly string[]) =>
  sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`);
