import { hc } from 'hono/client';
import type { Api } from '../../../api/app.ts';
import type { ErrorBody } from '../../../api/core/errors.ts';
import type { Language } from '../../../locales/languages.ts';
import { noteSession } from './mark.ts';

/** The typed client of the API: in-process for pages, over HTTP for islands. */
export const apiClient = (options: { fetch: typeof fetch; origin?: string }) =>
  hc<Api>(`${options.origin ?? ''}/api`, { fetch: options.fetch });
export type ApiClient = ReturnType<typeof apiClient>;

/** The client of an island: same origin, and the language of the page it is on. The browser's other pages hear when an answer signed somebody in or out. */
export function browserApi(language: Language): ApiClient {
  return apiClient({
    fetch: ((input: RequestInfo | URL, init?: RequestInit) =>
      fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), 'x-language': language },
      }).then((response) => {
        noteSession();
        return response;
      })) as typeof fetch,
  });
}

/** A refusal as it reached the browser: the sentence to show, and the sentences of wrong fields by path. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string> = {},
    /** Data needed to go on, such as a question to answer. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/**
 * Reads an answer or throws what it refused.
 * @param fallback the sentence for an answer that is none of ours: a dropped line, a proxy's page
 */
export async function unwrap<T>(
  request: Promise<{ ok: boolean; status: number; json(): Promise<T> }>,
  fallback: string,
): Promise<T> {
  let response: { ok: boolean; status: number; json(): Promise<T> };
  try {
    response = await request;
  } catch {
    throw new ApiError(0, 'network', fallback);
  }
  const body = (await response.json().catch(() => undefined)) as T | ErrorBody | undefined;
  if (response.ok && body !== undefined) return body as T;
  const error = (body as ErrorBody | undefined)?.error;
  throw new ApiError(
    response.status,
    error?.code ?? 'network',
    error?.message ?? fallback,
    Object.fromEntries((error?.fields ?? []).map((field) => [field.path, field.message])),
    error?.details,
  );
}

/** An address that could never have been one of the market's is as missing as one that is not there. */
const missing = new Set([400, 404]);

/**
 * Reads what may not be there: undefined when the API says that it is missing. Throws {@link ApiError} for every other answer, which the
 * pages turn into the error screen with 503: a read that failed says nothing about what is there (decision 061).
 */
export async function found<T>(request: Parameters<typeof unwrap<T>>[0]): Promise<T | undefined> {
  try {
    return await unwrap(request, '');
  } catch (error) {
    if (error instanceof ApiError && missing.has(error.status)) return undefined;
    throw error;
  }
}

/** Whether a request was refused for one of these reasons. */
export const isRefused =
  (...codes: readonly string[]) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && codes.includes(error.code);
