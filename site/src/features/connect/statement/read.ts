import { statementPage } from '../../../../../api/credits/schema.ts';
import { pageQuery } from '../../../../../api/shared/paging.ts';
import { unwrap } from '../../../lib/api.ts';

/** Parses a statement's address; invalid values mean the first page. */
export function pageOf({ searchParams }: URL): { before?: number; page: number } {
  const { before } =
    statementPage.safeParse({ before: searchParams.get('before') ?? undefined }).data ?? {};
  const { page } = pageQuery().safeParse({ page: searchParams.get('page') ?? undefined }).data ?? {
    page: 1,
  };
  return { ...(before === undefined ? {} : { before }), page };
}

/**
 * Reads the statement: entries, their posts, purchases. Purchases come first: reading them settles
 * due payments, which then appear.
 */
export async function readStatement(
  { api }: App.Locals,
  { before, page }: ReturnType<typeof pageOf>,
) {
  const bought = await unwrap(api.credits.purchases.$get({ query: { page: String(page) } }), '');
  const statement = await unwrap(
    api.credits.$get({ query: before === undefined ? {} : { before: String(before) } }),
    '',
  );
  const ids = statement.entries.flatMap(({ referenceId }) => referenceId ?? []);
  const paid =
    ids.length > 0
      ? await unwrap(api.connect.paid.$get({ query: { ids: ids.join(',') } }), '')
      : [];
  return { ...bought, ...statement, paid };
}
