import { QueryClient } from '@tanstack/react-query';

const fiveMinutes = 300_000;

/** Event that the error screen sends before Try Again (ui/ErrorScreen.tsx). */
const tryAgain = 'marche54:again';

function statusOf(error: unknown): number | undefined {
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status > 0 ? status : undefined;
}

/** Retries reads three times, except after a 4xx. */
export function retryRead(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) return false;
  return failures < 3;
}

/**
 * Retries a write once if no answer came or the server failed. The first may have succeeded, so
 * both share an idempotency key.
 */
export function retryWrite(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  return (status === undefined || status >= 500) && failures < 1;
}

export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000);
}

/** Creates a query client with the defaults of product §10. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: retryRead,
        retryDelay,
        staleTime: fiveMinutes,
        gcTime: fiveMinutes,
        refetchOnWindowFocus: false,
      },
      // Paused without a network, a write would lock its dialog and run unasked later.
      mutations: { retry: retryWrite, retryDelay, networkMode: 'always' },
    },
  });
}

let shared: QueryClient | undefined;

/** Shared in the browser; new for each server render, so that no data leaks between visitors. */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient();
  if (!shared) {
    const client = makeQueryClient();
    // Drops answers that no mounted part reads: one may have crashed its part, and would again.
    window.addEventListener(tryAgain, () => client.removeQueries({ type: 'inactive' }));
    shared = client;
    // No provider mounts it here: unmounted, it misses focus and online events and waits for ever.
    shared.mount();
  }
  return shared;
}
