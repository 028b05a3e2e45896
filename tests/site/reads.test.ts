import { expect, test } from 'vitest';
import { ApiError, found } from '../../site/src/lib/api.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';

const sources = repositoryFiles.filter((file) => /^site\/src\/.*\.(?:ts|tsx|astro)$/.test(file));
const reads = /\.\$get\(/g;
const judged =
  /\b(?:unwrap|found|send)(?:<\w+>)?\(\s*[\w.]+(?:\([^()]*\))?(?:\.[\w-]+|\[[^\]]*\])*\.\$get\(/g;
const unjudged = (text: string): boolean =>
  (text.match(reads) ?? []).length !== (text.match(judged) ?? []).length;

const answer = (status: number, body: unknown) =>
  Promise.resolve({ ok: status < 400, status, json: () => Promise.resolve(body) });

test('only an answer that says so means that something is missing', async () => {
  expect(await found(answer(200, { name: 'Radio' }))).toEqual({ name: 'Radio' });
  for (const status of [404, 400])
    expect(
      await found(answer(status, { error: { code: 'products.notFound' } })),
      String(status),
    ).toBeUndefined();
  for (const status of [401, 403, 408, 409, 410, 429, 500, 502, 503, 504])
    await expect(
      found(answer(status, { error: { code: 'unavailable' } })),
      String(status),
    ).rejects.toBeInstanceOf(ApiError);
  await expect(found(Promise.reject(new Error('a dropped line')))).rejects.toBeInstanceOf(ApiError);
  await expect(found(answer(200, undefined))).rejects.toBeInstanceOf(ApiError);
});

test('every read of the API goes through `unwrap`, `found` or `send`, which throw what failed', () => {
  expect(sources.filter((file) => textOf(file).match(reads)).length).toBeGreaterThan(30);
  expect(sources.filter((file) => unjudged(textOf(file)))).toEqual([]);
});

test('no page and no reader of a page asks an answer whether it is ok', () => {
  const readers = sources.filter(
    (file) => file.endsWith('.astro') || /\/(?:find|read|reads|gate|frame|enter)\.ts$/.test(file),
  );
  expect(readers.length).toBeGreaterThan(50);
  expect(readers.filter((file) => /\??\.ok\b/.test(textOf(file)))).toEqual([]);
});

test('the rule knows the mistake when it sees it', () => {
  for (const text of [
    "const response = await api.slots[':slotId'].$get({ param });\nreturn response.ok ? response.json() : null;",
    'const { slots } = await (await api.slots.$get()).json();',
    'unwrap(api.market.$get(), ""); const response = await api.slots.$get();',
  ])
    expect(unjudged(text), text).toBe(true);
  expect(unjudged("found(api.slots[':slotId'].$get({ param }))")).toBe(false);
});
