import { useEffect } from 'react';
import { Pagination } from '../../ui/Pagination.tsx';

type PageKey = 'pages.label' | 'pages.previous' | 'pages.next' | 'pages.page';

export type ListPagesProps = {
  /** What was read of the list: how long it is in all. */
  read: { data: { total: number; pageSize: number } | undefined; isFetching: boolean };
  page: number;
  onPage: (page: number) => void;
  t: (key: PageKey, params?: { page: number; total: number }) => string;
};

/** The pages of an admin's list. When the last row of the last page is gone there is nothing behind it, and the list goes a page back. */
export function ListPages({ read: { data, isFetching }, page, onPage, t }: ListPagesProps) {
  const pages = data ? Math.max(1, Math.ceil(data.total / data.pageSize)) : 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read can leave this page empty; `onPage` is made anew with every render.
  useEffect(() => {
    if (data && page > pages) onPage(pages);
  }, [data, pages]);
  const labels = { nav: t('pages.label'), previous: t('pages.previous'), next: t('pages.next'), where: t('pages.page', { page, total: pages }) };
  return <Pagination page={page} pages={pages} busy={isFetching} onPage={onPage} labels={labels} />;
}
