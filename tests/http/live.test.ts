import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { parseNews } from '../../api/core/live.ts';
import { hotHeader } from '../../api/hot.ts';
import { openMarket } from '../../api/market.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live } from '../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
let shown = 'first';
const running = await openMarket({
  db: market.db,
  sql: market.sql,
  services: market.services,
  now: market.clock.now,
  pages: async () => new Response(`<p>${shown}</p>`, { headers: { 'content-type': 'text/html', [hotHeader]: 'change' } }),
});
afterAll(() => running.close());

/** Reads a stream of events until one of this name has come; answers its data. */
async function nextChange(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The line ended after: ${text}`);
    text += new TextDecoder().decode(value);
    const found = /event: change\ndata: (.*)\n\n/.exec(text);
    if (found) return found[1] as string;
  }
}
const open = async () => {
  const response = await running.app.fetch(new Request('http://market.test/api/live'), {});
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (response.body as ReadableStream<Uint8Array>).getReader();
};
/** Resolves with this piece of news: everything announced before it has then been heard, since Postgres keeps the order of commits. */
const nextNews = (kind: string, id: string) =>
  new Promise<void>((resolve) => {
    const stop = running.live.subscribe((news) => {
      if (news.kind !== kind || news.id !== id) return;
      stop();
      resolve();
    });
  });
/** Everything that was announced so far has been heard. */
async function allHeard() {
  const mark = randomUUID();
  const heard = nextNews('queue', mark);
  await market.db.execute(sql`select pg_notify('market', ${`queue:${mark}`})`);
  await heard;
}
const home = async () => (await running.hot.respond(new Request('http://market.test/')))?.text();

describe('the line to open pages', () => {
  test('tells every page of a product that goes live, and of nothing before', async () => {
    const lines = await Promise.all([open(), open()]);
    const { slotId } = await live(market, seller, admin);
    const heard = await Promise.all(lines.map(nextChange));
    // Which of its two rows is announced first is Postgres's affair.
    for (const change of heard) expect(change === `slot:${slotId}` || change.startsWith('product:')).toBe(true);
    for (const line of lines) await line.cancel();
  });

  test('forgets a page that is gone', async () => {
    const line = await open();
    expect(running.broadcast.listeners).toBe(1);
    await line.cancel();
    expect(running.broadcast.listeners).toBe(0);
  });

  test('does not tell the public of the queue or of what waits for review', () => {
    expect(parseNews('queue:changed')).toEqual({ kind: 'queue', id: 'changed' });
    expect(parseNews('nonsense')).toBeUndefined();
    expect(parseNews('other:1')).toBeUndefined();
  });

  test('ends when the market closes', async () => {
    const line = await open();
    running.broadcast.close();
    let ended = false;
    while (!ended) ended = (await line.read()).done;
    expect(ended).toBe(true);
  });
});

describe('stored pages', () => {
  test('are fresh as soon as a change of a slot is announced', async () => {
    await allHeard();
    shown = 'before';
    running.hot.drop();
    expect(await home()).toContain('before');
    shown = 'after';
    const heard = nextNews('slot', '54');
    await market.db.update(schema.slots).set({ isFeatured: sql`not is_featured` }).where(sql`id = 54`);
    await heard;
    expect(await home()).toContain('after');
  });

  test('stay through what pages do not show: a counter throws nothing away', async () => {
    expect(await home()).toContain('after');
    shown = 'never asked for';
    await market.db.update(schema.slotEngagement).set({ views: 7 }).where(sql`slot_id = 54`);
    await market.db.update(schema.slots).set({ updatedAt: market.clock.now() }).where(sql`id = 54`);
    // What is announced later has overtaken nothing: the two writes above came first, and had no news.
    await allHeard();
    expect(await home()).toContain('after');
  });
});
