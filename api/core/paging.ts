import * as z from 'zod/mini';

/** The last page that anybody may ask for: far behind what the longest list has, and an offset that Postgres can still count. */
export const lastPage = 1_000_000;

/**
 * The query of a list that is read a page at a time: its page, the first unless told, and what else narrows it. How many rows a page
 * has is the read's own business and never the client's. A page behind `lastPage` is refused; one behind the list's end is empty.
 */
export const pageQuery = <Filter extends z.core.$ZodLooseShape = Record<never, never>>(
  filter: Filter = {} as Filter,
) =>
  z.strictObject({
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(lastPage)), 1),
    ...filter,
  });
