import * as z from 'zod/mini';

/** Far beyond any list, and an offset that Postgres can still count. */
export const lastPage = 1_000_000;

/**
 * The query of a paged list: its page, 1 by default, and filters. Clients cannot set the page size;
 * a page past the list's end is empty.
 */
export const pageQuery = <Filter extends z.core.$ZodLooseShape = Record<never, never>>(
  filter: Filter = {} as Filter,
) =>
  z.strictObject({
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(lastPage)), 1),
    ...filter,
  });
