import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { messageOf } from './screen.ts';

export type ReadStateProps<T> = {
  read: UseQueryResult<T>;
  loading: string;
  failed: string;
  retry: string;
  shape?: 'card' | 'row' | 'line';
  count?: number;
  /** Replaces the skeleton; same size as the content, so that nothing shifts. */
  placeholder?: ReactNode;
  /** Empty state, shown if `when` is true. */
  empty?: { when: (data: T) => boolean; title: string; text?: string; action?: ReactNode };
  children: (data: T) => ReactNode;
};

/** States of a read: loading, failed (with older data if any), empty, loaded. */
export function ReadState<T>({
  read,
  loading,
  failed,
  retry,
  shape = 'row',
  count = 6,
  placeholder,
  empty,
  children,
}: ReadStateProps<T>) {
  const { data, error, isPending, isFetching, refetch } = read;
  if (isPending)
    return (
      <>
        <Skeleton shape={shape} count={placeholder ? 0 : count} label={loading} />
        {placeholder}
      </>
    );
  if (data === undefined)
    return (
      <ErrorState title={failed} retryLabel={retry} busy={isFetching} onRetry={() => refetch()}>
        {error ? messageOf(error) : ''}
      </ErrorState>
    );
  return (
    <>
      {error && (
        <Note tone="bad" title={failed}>
          {messageOf(error)}
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
