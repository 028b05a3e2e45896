import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type Change, openLine } from '../live/line.ts';
import { versionOf } from '../live/swap.ts';
import { recheck } from './recheck.ts';
import type { DeskWords } from './words.ts';

/** What every admin island is given: the page's language, its words, and where to sign in when the session is over. */
export type DeskProps<W extends object> = { language: Language; words: W; desk: DeskWords; signIn: string };

/** The sentence of a failed request. */
export const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What an admin screen works with: its translator, the desk's translator, the API in the page's language, and the shared query client. */
export function useDesk<W extends object>({ language, words, desk, signIn }: DeskProps<W>) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const d = useMemo(() => clientTranslator(language, desk), [language, desk]);
  const api = useMemo(() => browserApi(language), [language]);
  const client = queryClient();
  /** The session is over, or is no admin's any more: the page goes. Answers whether it did. */
  const lost = (error: unknown): boolean => {
    if (!(error instanceof ApiError)) return false;
    if (error.status === 401) window.location.assign(signIn);
    else if (error.code === 'forbidden') window.location.reload();
    else return false;
    return true;
  };
  return { language, t, d, api, client, lost };
}

/** A read of an admin screen over the shared client; what was read is never older than a change that the line announces. */
export function useRead<T>(queryKey: QueryKey, queryFn: () => Promise<T>, { lost }: { lost: (error: unknown) => boolean }, options: object = {}) {
  const read = useQuery<T>({ queryKey, queryFn, staleTime: 0, ...options }, queryClient());
  const { error } = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `lost` is made anew with every render; only a new error matters.
  useEffect(() => {
    if (error) lost(error);
  }, [error]);
  return read;
}

/**
 * What a list shows while another page of it loads: what it showed before. Only of the same list (the second part of its key): rows of
 * another state would stand under the wrong name, with buttons that are refused.
 */
export const keptWithin =
  (list: unknown) =>
  <T,>(before: T | undefined, query: { queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[1] === list ? before : undefined;

const kindsOf = (changes: readonly Change[]) => new Set<string>(changes.map(({ kind }) => kind));

/**
 * Calls back a second after something of these kinds changed since the page was written, and after a gap in the line (product §2: admin
 * screens are live).
 * @param kinds of `News`: slot, product, seller, settings, queue, pending, person
 */
export function useNews(kinds: readonly string[], onNews: () => void): void {
  const watched = kinds.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback may be new at every render; the line is opened once.
  useEffect(
    () =>
      openLine({
        url: '/api/admin/live',
        since: versionOf(document),
        // The server ends this line with the session, and refuses the next one.
        onRefused: recheck,
        onChanges: (changes) => {
          const seen = kindsOf(changes);
          if (seen.has('all') || watched.split(' ').some((kind) => seen.has(kind))) onNews();
        },
      }),
    [watched],
  );
}

export type ReadStateProps<T> = {
  read: UseQueryResult<T>;
  /** The words of a screen that loads, and of one that could not be loaded. */
  loading: string;
  failed: string;
  retry: string;
  shape?: 'card' | 'row' | 'line';
  count?: number;
  /** Says that there is nothing, where nothing is. */
  empty?: { when: (data: T) => boolean; title: string; text?: string; action?: ReactNode };
  children: (data: T) => ReactNode;
};

/** The four states of what a screen reads: loading, failed (with what was read before, if anything), empty, and there. */
export function ReadState<T>({ read, loading, failed, retry, shape = 'row', count = 6, empty, children }: ReadStateProps<T>) {
  const { data, error, isPending, isFetching, refetch } = read;
  if (isPending) return <Skeleton shape={shape} count={count} label={loading} />;
  if (data === undefined)
    return (
      <ErrorState title={failed} retryLabel={retry} busy={isFetching} onRetry={() => refetch()}>
        {error ? why(error) : ''}
      </ErrorState>
    );
  return (
    <>
      {error && (
        <Note tone="bad" title={failed}>
          {why(error)}
        </Note>
      )}
      {empty?.when(data) ? (
        <EmptyState title={empty.title} icon="check" action={empty.action}>
          {empty.text}
        </EmptyState>
      ) : (
        children(data)
      )}
    </>
  );
}
