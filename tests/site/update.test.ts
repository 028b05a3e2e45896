import { beforeEach, expect, test } from 'vitest';
import { actionOptions } from '../../site/src/features/actions/useAction.ts';
import { addUpdate } from '../../site/src/features/connect/post/addUpdate.ts';
import { type ApiClient, ApiError } from '../../site/src/lib/api.ts';
import { makeQueryClient } from '../../site/src/lib/query.ts';
import { storage } from '../../site/src/lib/storage.ts';

/** Adds an update as its form does, without the pause between tries; returns the keys sent. */
async function add(answers: (() => Promise<Response>)[]) {
  const keys: string[] = [];
  const $post = ({ header }: { header: { 'idempotency-key': string } }) => {
    keys.push(header['idempotency-key']);
    return answers.shift()?.() ?? Promise.reject(new Error('One request too many'));
  };
  const api = {
    connect: { posts: { ':reference': { updates: { $post } } } },
  } as unknown as ApiClient;
  const client = makeQueryClient();
  const action = addUpdate(api, 'abcdefgh');
  const mutation = client
    .getMutationCache()
    .build(client, { ...actionOptions(action, client), retryDelay: 0 });
  const outcome = await mutation
    .execute({ type: 'note', message: 'Found' })
    .catch((error: unknown) => error);
  return { keys, outcome };
}

const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const failed = async () =>
  Response.json({ error: { code: 'unexpected', message: 'Broken' } }, { status: 500 });
const refused = async () =>
  Response.json({ error: { code: 'credits.neededForUpdate', message: 'No' } }, { status: 402 });
const done = async () => Response.json({ balance: 3 });

beforeEach(() => storage.remove('marche54.key.update.abcdefgh'));

test.each([
  ['without an answer', lost],
  ['that the server failed', failed],
])('an update %s is sent once more, under the same key', async (_, first) => {
  const { keys, outcome } = await add([first, done]);
  expect(outcome).toEqual({ balance: 3 });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('an update that failed twice keeps its key for the next try by hand, and a refused one is not sent again', async () => {
  const { keys } = await add([lost, failed]);
  expect(keys).toHaveLength(2);
  const again = await add([refused]);
  expect(again.keys).toEqual([keys[0]]);
  expect(again.outcome).toBeInstanceOf(ApiError);
});
