import { afterAll, describe, expect, test } from 'vitest';
import { isForAdmins, isForConnect, isPublic } from '../../api/live/broadcast.ts';
import { unversioned } from '../../api/live/schema.ts';
import { openMarket } from '../../api/market.ts';
import { cacheUntilHeader } from '../../api/pages/keptPage.ts';
import { signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { published } from '../support/posts.ts';

/** New posts are announced on their own event stream (decision 045). */
const market = await testApp();
const owner = await signUpMember(market);
await grant(market, owner, 50);
const running = await openMarket({
  ...{ db: market.db, sql: market.sql, services: market.services, now: market.clock.now },
  pages: async () =>
    new Response(`<i data-version="${unversioned}"></i>`, {
      headers: { 'content-type': 'text/html', [cacheUntilHeader]: 'change' },
    }),
});
afterAll(() => running.close());

const ask = (path: string) => running.app.fetch(new Request(`http://market.test${path}`), {});
const open = async (path: string) =>
  ((await ask(path)).body as ReadableStream<Uint8Array>).getReader();
/** Reads a stream up to its next change. */
async function nextChange(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<string | undefined> {
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    text += new TextDecoder().decode(value);
    const found = /event: change\ndata: (.*)\n\n/.exec(text);
    if (found) return found[1];
  }
}
const home = () => running.pageCache.respond(new Request('http://market.test/'));

describe('a new post', () => {
  test('is announced on the line of the feed, by category and reference alone', async () => {
    const line = await open('/api/connect/live');
    const reference = await published(market, owner, { category: 'cleaning' });
    expect(await nextChange(line)).toBe(`post:cleaning.${reference}`);
    await line.cancel();
  });

  test('leaves the market’s kept pages as they are, and its open pages in peace', async () => {
    await home();
    const { renders } = running.pageCache;
    const [ours, theirs] = await Promise.all([open('/api/live'), open('/api/connect/live')]);
    await published(market, owner);
    await nextChange(theirs);
    // The market's own stream received nothing before this.
    await market.sql`select pg_notify('market', 'slot:7')`;
    expect(running.pageCache.renders).toBe(renders);
    expect(await nextChange(ours)).toBe('slot:7');
    await Promise.all([ours.cancel(), theirs.cancel()]);
  });

  test('that was not paid for is not announced', async () => {
    const line = await open('/api/connect/live');
    await expect(published(market, await signUpMember(market))).rejects.toMatchObject({
      code: 'credits.neededForPost',
    });
    const reference = await published(market, owner, { category: 'events' });
    expect(await nextChange(line)).toBe(`post:events.${reference}`);
    await line.cancel();
  });

  test('that came between the page and its line is heard as the line opens', async () => {
    const page = await (await ask('/connect')).text();
    const reference = await published(market, owner);
    const heard = await open('/api/connect/live');
    await published(market, owner, { category: 'other' });
    await nextChange(heard);
    const line = await open(`/api/connect/live?since=${/data-version="([^"]+)"/.exec(page)?.[1]}`);
    expect(await nextChange(line)).toBe(`post:repairs.${reference}`);
    await Promise.all([line.cancel(), heard.cancel()]);
  });

  test('is news for feeds and admins, and for nobody else; what is the market’s is none for feeds', () => {
    const [post, slot] = [
      { kind: 'post', id: 'other.abcd2345' } as const,
      { kind: 'slot', id: '7' } as const,
    ];
    expect([isForConnect(post), isForAdmins(post), isPublic(post)]).toEqual([true, true, false]);
    expect([isForConnect(slot), isPublic(slot)]).toEqual([false, true]);
  });
});
