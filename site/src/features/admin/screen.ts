import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { sessionLost } from '../../lib/session.ts';
import { type Change, openEventStream } from '../live/eventStream.ts';
import { versionOf } from '../live/swap.ts';
import { recheck } from './recheck.ts';
import type { CommonWords } from './words.ts';

/** Props of all admin islands. */
export type AdminScreenProps<W extends object> = {
  language: Language;
  words: W;
  common: CommonWords;
  signIn: string;
  /** False for a moderator (product R60). */
  isAdmin: boolean;
};

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Translators and API client for an admin screen. */
export function useAdminScreen<W extends object>({
  language,
  words,
  common,
  signIn,
  isAdmin,
}: AdminScreenProps<W>) {
  return useMemo(
    () => ({
      language,
      signIn,
      isAdmin,
      t: clientTranslator(language, words),
      common: clientTranslator(language, common),
      api: browserApi(language),
      /** Unwraps an API response, or throws its refusal. */
      send: <T>(request: Parameters<typeof unwrap<T>>[0]): Promise<T> =>
        unwrap(request, common.connection),
      /** Reloads all queries whose key starts with one of the names. */
      invalidate: (...names: string[]) =>
        Promise.all(names.map((name) => queryClient().invalidateQueries({ queryKey: [name] }))),
    }),
    [language, words, common, signIn, isAdmin],
  );
}
export type AdminScreen<W extends object> = ReturnType<typeof useAdminScreen<W>>;

/**
 * Query of an admin screen. Data is always stale, so that it is never older than an announced
 * change.
 */
export function useAdminRead<T>(
  { signIn }: { signIn: string },
  queryKey: QueryKey,
  queryFn: () => Promise<T>,
  options: object = {},
) {
  const read = useQuery<T>({ queryKey, queryFn, staleTime: 0, ...options }, queryClient());
  const { error } = read;
  useEffect(() => {
    if (error) sessionLost(error, signIn);
  }, [error, signIn]);
  return read;
}

const kindsOf = (changes: readonly Change[]) => new Set<string>(changes.map(({ kind }) => kind));

/**
 * Runs `onChange` a second after a change of these kinds, and after gaps in the event stream
 * (product §2: admin screens are live). Kinds of `News`: slot, product, seller, settings, queue,
 * pending, person.
 */
export function useLiveUpdates(kinds: readonly string[], onChange: () => void): void {
  const watched = kinds.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback may be new at every render; the stream is opened once.
  useEffect(
    () =>
      openEventStream({
        url: '/api/admin/live',
        since: versionOf(document),
        // The server ends the stream with the session, and refuses the next one.
        onRefused: recheck,
        onChanges: (changes) => {
          const seen = kindsOf(changes);
          if (seen.has('all') || watched.split(' ').some((kind) => seen.has(kind))) onChange();
        },
      }),
    [watched],
  );
}
