import { keepPreviousData, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Pagination } from '../../ui/Pagination.tsx';
import { type Asked, keepInAddress, pageAsked } from './address.ts';
import { ReadState, type ReadStateProps } from './ReadState.tsx';
import { type AdminScreen, useAdminRead } from './screen.ts';

type ListPage = { total: number; pageSize: number };

export type ListOptions<Filter, Page> = {
  key: QueryKey;
  load: (query: Filter & { page: string }) => Promise<Page>;
  filter: Filter;
  /**
   * Query of the address, where page and filter are then kept. Undefined: starts at page 1, address
   * unused.
   */
  asked?: Asked;
  /** Filter as it appears in the address; defaults are omitted. */
  inAddress?: (filter: Filter) => Record<string, string | undefined>;
  /** Shows old rows during a load only for the same filter, since other rows have other buttons. */
  keepsFilter?: boolean;
};

/** Paginated list: filter, page, and its query. */
export function useAdminList<
  Page extends ListPage,
  Filter extends Record<string, string | undefined> = Record<string, never>,
>(
  screen: { signIn: string },
  {
    key,
    load,
    filter: first,
    asked,
    inAddress = (filter) => filter,
    keepsFilter = false,
  }: ListOptions<Filter, Page>,
) {
  const [{ filter, page }, setShown] = useState({
    filter: first,
    page: asked ? pageAsked(asked) : 1,
  });
  const show = (next: { filter: Filter; page: number }) => {
    setShown(next);
    if (!asked) return;
    // Removes filters that are no longer set.
    const left = Object.fromEntries(
      Object.keys(inAddress(filter)).map((name) => [name, undefined]),
    );
    keepInAddress({ ...left, ...inAddress(next.filter), page: next.page });
  };
  const read: UseQueryResult<Page> = useAdminRead(
    screen,
    [...key, filter, page],
    () => load({ ...filter, page: String(page) }),
    {
      placeholderData: keepsFilter
        ? (before: Page | undefined, query?: { queryKey: QueryKey }) =>
            query?.queryKey[key.length] === filter ? before : undefined
        : keepPreviousData,
    },
  );
  return {
    read,
    filter,
    page,
    setFilter: (next: Filter) => show({ filter: next, page: 1 }),
    setPage: (next: number) => show({ filter, page: next }),
  };
}

export type AdminListProps<Page> = Pick<
  ReadStateProps<Page>,
  'loading' | 'failed' | 'count' | 'children'
> & {
  screen: Pick<AdminScreen<object>, 'common'>;
  list: { read: UseQueryResult<Page>; page: number; setPage: (page: number) => void };
  empty: { title: string; text?: string; action?: ReactNode };
};

/**
 * Page of a list in all its states, with pagination. Goes back a page when the last one becomes
 * empty.
 */
export function AdminList<Page extends ListPage>({
  screen: { common },
  list: { read, page, setPage },
  empty,
  ...state
}: AdminListProps<Page>) {
  const { data, isFetching } = read;
  const pages = data ? Math.max(1, Math.ceil(data.total / data.pageSize)) : 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read can leave this page empty; `setPage` is made again with every render.
  useEffect(() => {
    if (data && page > pages) setPage(pages);
  }, [data, pages]);
  return (
    <>
      <ReadState
        read={read}
        retry={common('retry')}
        empty={{ when: ({ total }) => total === 0, ...empty }}
        {...state}
      />
      <Pagination
        page={page}
        pages={pages}
        busy={isFetching}
        onPage={setPage}
        labels={{
          nav: common('pages.label'),
          previous: common('pages.previous'),
          next: common('pages.next'),
          where: common('pages.page', { page, total: pages }),
        }}
      />
    </>
  );
}
