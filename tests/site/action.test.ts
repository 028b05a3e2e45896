import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Action, actionOptions } from '../../site/src/features/actions/useAction.ts';
import { ApiError } from '../../site/src/lib/api.ts';
import { makeQueryClient } from '../../site/src/lib/query.ts';
import { toast } from '../../site/src/ui/Toaster.tsx';

const lineBroke = new ApiError(0, 'network', 'Check your connection');
const conflict = new ApiError(409, 'conflict', 'Somebody else was faster');

/**
 * Runs an action as the hook does, without the delay before the retry; returns its result and its
 * toasts.
 */
async function perform<Answer>(action: Action<string, Answer>, client = makeQueryClient()) {
  const said: string[] = [];
  for (const tone of ['success', 'warning', 'error'] as const)
    vi.spyOn(toast, tone).mockImplementation((title, options) =>
      said.push(`${tone}: ${title} ${options?.description ?? ''}`.trim()),
    );
  const mutation = client
    .getMutationCache()
    .build(client, { retryDelay: 0, ...actionOptions(action, client) });
  const answer = await mutation.execute('input').catch(() => undefined);
  return { said, answer };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('an action', () => {
  test('says that it is done, closes its question, and is over when what it changed has been read anew', async () => {
    const client = makeQueryClient();
    const order: string[] = [];
    const reads = new QueryObserver(client, {
      queryKey: ['list', 1],
      queryFn: async () => {
        await Promise.resolve();
        return order.push('read');
      },
    });
    const stop = reads.subscribe(() => {});
    await vi.waitFor(() => expect(order).toEqual(['read']));
    const { said, answer } = await perform(
      {
        call: async (input) => `${input}!`,
        success: (answer, input) => ({ title: 'Done', description: `${input} ${answer}` }),
        close: () => order.push('closed'),
        invalidates: [['list']],
      },
      client,
    ).finally(stop);
    expect(said).toEqual(['success: Done input input!']);
    expect(answer).toBe('input!');
    expect(order).toEqual(['read', 'closed', 'read']);
  });

  test('is tried once more with the same input when no answer came, unless a second time would do harm', async () => {
    const call = vi.fn(
      async (_: string, _key: string): Promise<string> => Promise.reject(lineBroke),
    );
    await perform({ call });
    expect(call.mock.calls.map(([input]) => input)).toEqual(['input', 'input']);
    // Both tries share one key, so the retry is the same request; a later action gets another.
    const [[, first] = [], [, again] = []] = call.mock.calls;
    expect([first, again]).toEqual([expect.stringMatching(/^.{8,100}$/), first]);
    await perform({ call });
    expect(call.mock.calls[2]?.[1]).not.toBe(first);
    call.mockClear();
    await perform({ call, once: true });
    expect(call).toHaveBeenCalledTimes(1);
    call.mockClear().mockRejectedValue(conflict);
    await perform({ call });
    expect(call).toHaveBeenCalledTimes(1);
  });

  test('is tried once more under the same key when the server failed, and takes the second answer', async () => {
    const call = vi
      .fn(async (_: string, _key: string) => 'done')
      .mockRejectedValueOnce(new ApiError(500, 'unexpected', 'Something broke'));
    expect(
      await perform({ call, success: (answer) => answer, failure: (error) => error.message }),
    ).toEqual({ said: ['success: done'], answer: 'done' });
    expect(call).toHaveBeenCalledTimes(2);
    expect(call.mock.calls[1]).toEqual(call.mock.calls[0]);
  });

  test('says why it is refused and leaves its question open, unless somebody else was faster', async () => {
    const close = vi.fn();
    const action = (error: Error): Action<string, string> => ({
      call: () => Promise.reject(error),
      failure: (why) => `Not done: ${why.message}`,
      isOutdated: (why) => why === conflict,
      close,
    });
    expect((await perform(action(new ApiError(422, 'invalid', 'Too long')))).said).toEqual([
      'error: Not done: Too long',
    ]);
    expect(close).not.toHaveBeenCalled();
    expect((await perform(action(conflict))).said).toEqual([
      'error: Not done: Somebody else was faster',
    ]);
    expect(close).toHaveBeenCalledOnce();
  });

  test('leads to sign in when the session is over, and says nothing on the way', async () => {
    const assign = vi.fn();
    vi.stubGlobal('window', { location: { assign } });
    const onRefused = vi.fn();
    const { said } = await perform({
      call: () => Promise.reject(new ApiError(401, 'unauthorized', 'Sign in')),
      signIn: '/admin/auth',
      failure: (error) => error.message,
      onRefused,
    });
    expect(assign).toHaveBeenCalledWith('/admin/auth');
    expect(said).toEqual([]);
    expect(onRefused).not.toHaveBeenCalled();
  });

  test('says in a tone of its own what is neither', async () => {
    expect(
      (
        await perform({
          call: async () => 0,
          success: () => ({ title: 'Somebody moved it', tone: 'warning' }),
        })
      ).said,
    ).toEqual(['warning: Somebody moved it']);
    expect((await perform({ call: async () => 0, success: () => undefined })).said).toEqual([]);
  });
});
