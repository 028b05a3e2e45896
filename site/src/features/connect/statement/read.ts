import { pageQuery } from '../../../../../api/core/paging.ts';
import { statementPage } from '../../../../../api/credits/schema.ts';
import { unwrap } from '../../../lib/api.ts';

/** Which part of a statement an address asks for; what is no number is the first one. */
export function pageOf({ searchParams }: URL): { before?: number; page: number } {
  const { before } =
    statementPage.safeParse({ before: searchParams.get('before') ?? undefined }).data ?? {};
  const { page } = pageQuery().safeParse({ page: searchParams.get('page') ?? undefined }).data ?? {
    page: 1,
  };
  return { ...(before === undefined ? {} : { before }), page };
}

/** What the statement of whoever looks shows: entries, what they were for, purchases. What is due about a purchase is asked first, so that it is in. */
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
