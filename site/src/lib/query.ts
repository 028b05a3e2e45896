import { QueryClient } from '@tanstack/react-query';

const fiveMinutes = 300_000;

/** Sent by the error screen ahead of its Try Again (ui/ErrorScreen.tsx). */
const tryAgain = 'marche54:again';

/** The HTTP status an error carries, if an answer came at all. */
function statusOf(error: unknown): number | undefined {
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  // 0 is an `ApiError` without an answer: the line broke.
  return typeof status === 'number' && status > 0 ? status : undefined;
}

/** Reads are tried again three times, but not when the server has refused: a 4xx stays a 4xx. */
export function retryRead(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) return false;
  return failures < 3;
}

/**
 * A write is tried again once when no answer came or the server failed, but not when it refused. It may have been done all
 * the same, so both tries carry one idempotency key.
 */
export function retryWrite(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  return (status === undefined || status >= 500) && failures < 1;
}

/** 1 s, 2 s, 4 s … and never more than 30 s. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000);
}

/** The query client of an island, with the defaults of product §10. */
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
      // Without a network a write fails and says so: held back, it would keep its dialog shut up, and happen unasked when the network is back.
      mutations: { retry: retryWrite, retryDelay, networkMode: 'always' },
    },
  });
}

let shared: QueryClient | undefined;

/** One client for all islands of a page in the browser; on the server a fresh one each time, so that nobody sees another's data. */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient();
  if (!shared) {
    const client = makeQueryClient();
    // An answer that broke a part of the page is one that no living part reads: kept, it would break it again.
    window.addEventListener(tryAgain, () => client.removeQueries({ type: 'inactive' }));
    shared = client;
    // No provider does it here: without it the client never hears that the page is back in sight, or the network is back, and what
    // waits for either waits for ever.
    shared.mount();
  }
  return shared;
}
