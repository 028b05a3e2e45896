import { onlineManager } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../site/src/lib/api.ts';
import { makeQueryClient, retryDelay, retryRead, retryWrite } from '../../site/src/lib/query.ts';

describe('data fetching', () => {
  test('tries a read three more times, but takes a refusal for an answer', () => {
    expect(
      [0, 1, 2, 3].map((failures) => retryRead(failures, new TypeError('Failed to fetch'))),
    ).toEqual([true, true, true, false]);
    expect(retryRead(0, { status: 503 })).toBe(true);
    expect(retryRead(0, { status: 404 })).toBe(false);
  });

  test('tries a write once more when no answer came or the server failed, and never when it refused', () => {
    expect(retryWrite(0, new TypeError('Failed to fetch'))).toBe(true);
    expect(retryWrite(1, new TypeError('Failed to fetch'))).toBe(false);
    for (const status of [0, 500, 502, 503, 504])
      expect(
        [0, 1].map((failures) => retryWrite(failures, { status })),
        `${status}`,
      ).toEqual([true, false]);
    for (const status of [400, 401, 409, 422, 429])
      expect(retryWrite(0, { status }), `${status}`).toBe(false);
  });

  test('lets a write fail while there is no network, rather than holding it back', async () => {
    onlineManager.setOnline(false);
    try {
      const client = makeQueryClient();
      const write = client.getMutationCache().build(client, {
        retryDelay: 0,
        mutationFn: async () => {
          throw new ApiError(0, 'network', 'Check your connection');
        },
      });
      await expect(write.execute(undefined)).rejects.toThrow('Check your connection');
    } finally {
      onlineManager.setOnline(true);
    }
  });

  test('waits longer each time, never more than 30 seconds', () => {
    expect([0, 1, 2, 10].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000]);
  });

  test('keeps data for five minutes, and tries again by these rules', () => {
    const { queries, mutations } = makeQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ retry: retryRead, retryDelay });
    expect(mutations).toMatchObject({ retry: retryWrite, retryDelay });
    expect(queries?.staleTime).toBe(300_000);
    expect(queries?.gcTime).toBe(300_000);
  });
});
