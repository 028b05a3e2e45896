import { feedQuery } from '../../../../../api/connect/schema.ts';

const known = feedQuery.shape;

/** Parses a feed's address for the API; invalid values are dropped. */
export function askedFor({ searchParams: given }: URL) {
  // The API refuses control characters, and lone surrogates, which the cut may leave (readable.ts).
  const search = (given.get('search') ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
    .replaceAll(/\p{Cs}/gu, '');
  const category = known.category.safeParse(given.get('category') ?? undefined).data ?? 'all';
  const after = known.after.safeParse(given.get('after') ?? undefined).data;
  return { ...(search && { search }), category, ...(after && { after }) };
}
export type Asked = ReturnType<typeof askedFor>;

/** Address of a feed page, without defaults. */
export function feedAddress({
  search,
  category,
  after,
}: {
  search?: string;
  category?: string;
  after?: string | null;
}): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(category && category !== 'all' && { category }),
    ...(after && { after }),
  }).toString();
  return `/connect${query && `?${query}`}`;
}
