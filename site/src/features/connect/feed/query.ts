import { feedQuery } from '../../../../../api/connect/schema.ts';

const known = feedQuery.shape;

/** What a feed's address asks for, in what the API takes; what makes no sense there is left out, as if nobody had asked. */
export function askedFor({ searchParams: given }: URL) {
  // Control characters, and half of a pair of UTF-16 that the cut leaves, are refused by the API (readable.ts).
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

/** The address of a page of the feed, without what goes without saying. */
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
