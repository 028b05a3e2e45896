import { hc } from 'hono/client';
import type { Api } from '../../../api/app.ts';
import type { ErrorBody } from '../../../api/shared/errors.ts';
import type { Language } from '../../../locales/languages.ts';
import { noteSession } from './mark.ts';

export const apiClient = (options: { fetch: typeof fetch; origin?: string }) =>
  hc<Api>(`${options.origin ?? ''}/api`, { fetch: options.fetch });
export type ApiClient = ReturnType<typeof apiClient>;

/** API client for islands, in the page's language; notifies other tabs of a changed sign-in. */
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

export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string> = {},
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/**
 * Returns the answer's body or throws {@link ApiError}.
 * @param fallback message for answers that are not the API's, such as a proxy's page
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

/** Malformed ids count as missing. */
const missing = new Set([400, 404]);

/**
 * Returns the answer's body, or undefined if it is missing. Throws {@link ApiError} otherwise,
 * which pages answer with 503: a failed read proves no absence (decision 024).
 */
export async function found<T>(request: Parameters<typeof unwrap<T>>[0]): Promise<T | undefined> {
  try {
    return await unwrap(request, '');
  } catch (error) {
    if (error instanceof ApiError && missing.has(error.status)) return undefined;
    throw error;
  }
}

export const isRefused =
  (...codes: readonly string[]) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && codes.includes(error.code);
