import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { isPublic } from '../../api/live/broadcast.ts';
import { parseNews } from '../../api/live/listener.ts';
import { unversioned } from '../../api/live/schema.ts';
import { createVersions } from '../../api/live/versions.ts';
import { openMarket } from '../../api/market.ts';
import { cacheUntilHeader } from '../../api/pages/keptPage.ts';
import { edit } from '../../api/products/edit.ts';
import { decideEdit } from '../../api/products/review/decideEdit.ts';
import type { Edit } from '../../api/products/schema.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { schema } from '../../db/client.ts';
import { actors, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { draft, live, submitted } from '../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
let shown = 'first';
/** Delays a page between reading its data and writing its HTML. */
let writing: Promise<void> | undefined;
/** Starts a process of the market; several may share one database. */
const start = () =>
  openMarket({
    db: market.db,
    sql: market.sql,
    services: market.services,
    now: market.clock.now,
    async pages() {
      const html = `<p>${shown}</p><i data-version="${unversioned}"></i>`;
      await writing;
      return new Response(html, {
        headers: { 'content-type': 'text/html', [cacheUntilHeader]: 'change' },
      });
    },
  });
const running = await start();
afterAll(() => running.close());

/** Reads an event stream up to the next change; returns its data. */
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
const open = async (since?: string, headers: Record<string, string> = {}) => {
  const response = await running.app.fetch(
    new Request(`http://market.test/api/live${since === undefined ? '' : `?since=${since}`}`, {
      headers,
    }),
    {},
  );
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (response.body as ReadableStream<Uint8Array>).getReader();
};
/**
 * Resolves at this event; earlier ones have then arrived, since Postgres notifies in commit order.
 */
const nextNews = (kind: string, id: string) =>
  new Promise<void>((resolve) => {
    const stop = running.live.subscribe((news) => {
      if (news.kind !== kind || news.id !== id) return;
      stop();
      resolve();
    });
  });
/** Waits until every event so far has arrived. */
async function allHeard() {
  const mark = randomUUID();
  const heard = nextNews('queue', mark);
  await market.db.execute(sql`select pg_notify('market', ${`queue:${mark}`})`);
  await heard;
}
const page = async (of = running) =>
  (await of.pageCache.respond(new Request('http://market.test/'))) as Response;
const home = async () => (await page()).text();
const versionIn = (html: string) => /data-version="([^"]+)"/.exec(html)?.[1] ?? '';
/** Changes a stall's public data and waits until every process knows. */
async function change(slotId: number) {
  await market.db
    .update(schema.slots)
    .set({ isFeatured: sql`not is_featured` })
    .where(sql`id = ${slotId}`);
  await allHeard();
}
/** First event for a page of this version, when stall 1 changes after its stream opened. */
async function firstHeard(version: string, headers?: Record<string, string>): Promise<string> {
  const line = await open(version, headers);
  await change(1);
  const heard = await nextChange(line);
  await line.cancel();
  return heard;
}

describe('the line to open pages', () => {
  test('tells every page of a product that goes live, and of nothing before', async () => {
    const lines = await Promise.all([open(), open()]);
    const { slotId } = await live(market, seller, admin);
    // Both rows are announced, in the order that Postgres chooses.
    for (const line of lines) {
      const heard = [await nextChange(line), await nextChange(line)];
      expect(heard.sort()).toEqual([expect.stringMatching(/^product:/), `slot:${slotId}`]);
      await line.cancel();
    }
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
    const closing = await start();
    const line = closing.broadcast.open().getReader();
    await closing.close();
    let ended = false;
    while (!ended) ended = (await line.read()).done;
    expect(ended).toBe(true);
  });
});

describe('a line opened by a page of some version', () => {
  test('hears at once what changed since its data was read', async () => {
    const version = versionIn(await home());
    shown = 'changed since';
    await change(53);
    expect(await firstHeard(version)).toBe('slot:53');
  });

  test('hears nothing when nothing changed, and then what does', async () => {
    expect(await firstHeard(versionIn(await home()))).toBe('slot:1');
  });

  test('is not told again what it missed then when the browser takes its line up again: it looks at everything', async () => {
    const version = versionIn(await home());
    shown = 'changed while the line was down';
    await change(53);
    expect(await firstHeard(version, { 'last-event-id': 'stood' })).toBe('slot:1');
  });

  test('hears what was announced while its HTML was written', async () => {
    running.pageCache.drop();
    let written = () => {};
    writing = new Promise((resolve) => {
      written = resolve;
    });
    shown = 'read before the change';
    const early = home();
    await change(52);
    written();
    writing = undefined;
    expect(await firstHeard(versionIn(await early))).toBe('slot:52');
  });

  test('is the same in every rendering of one state, whatever else changed: the page is not sent again, and its line hears nothing', async () => {
    shown = 'a state that stays';
    running.pageCache.drop();
    const before = await page();
    await change(51);
    const after = await page();
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    const html = await after.text();
    expect(html).toBe(await before.text());
    expect(await firstHeard(versionIn(html))).toBe('slot:1');
  });

  test('looks at everything when another run of the server wrote it, until this one has written the same', async () => {
    const other = await start();
    shown = 'written elsewhere';
    const version = versionIn(await (await page(other)).text());
    await other.close();
    expect(await firstHeard(version)).toBe('all:');
    expect(await firstHeard(unversioned)).toBe('all:');
    expect(versionIn(await home())).toBe(version);
    expect(await firstHeard(version)).toBe('slot:1');
  });

  test('is stamped into pages that are not stored as well', async () => {
    const request = new Request('http://market.test/?utm_source=friend');
    expect(running.pageCache.respond(request)).toBeUndefined();
    shown = 'found by a friend';
    const version = versionIn(await (await running.app.fetch(request, {})).text());
    await change(50);
    expect(await firstHeard(version)).toBe('slot:50');
  });
});

test('an admin’s page hears what changed since it was written, though its HTML tells nothing of that', async () => {
  const fetched = (path: string) =>
    running.app.fetch(
      new Request(`http://market.test${path}`, { headers: { cookie: admin.jar.header() } }),
      {},
    );
  const written = async () => versionIn(await (await fetched('/admin/slots')).text());
  const heard = async (version: string) => {
    const line = (
      (await fetched(`/api/admin/live?since=${version}`)).body as ReadableStream<Uint8Array>
    ).getReader();
    await change(2);
    const first = await nextChange(line);
    await line.cancel();
    return first;
  };
  const early = await written();
  await change(49);
  const late = await written();
  expect(await heard(early)).toBe('slot:49');
  expect(await heard(await written())).toBe('slot:2');
  // The same HTML, but newer.
  expect(late).not.toBe(early);
});

describe('news for admins alone', () => {
  /** Events announced during `happens`. */
  async function announced(happens: () => Promise<unknown>): Promise<string[]> {
    await allHeard();
    const all: string[] = [];
    const stop = running.live.subscribe(({ kind, id }) => all.push(`${kind}:${id}`));
    await happens();
    await allHeard();
    stop();
    return all.slice(0, -1);
  }
  async function given(productId: string): Promise<Edit> {
    const [photo] = await market.db
      .select({ id: schema.uploads.id })
      .from(schema.uploads)
      .where(eq(schema.uploads.productId, productId));
    const {
      durationHours: _hours,
      listingType: _type,
      paymentMethod: _method,
      ...rest
    } = draft({ images: [photo?.id ?? ''], price: 50_000 });
    return rest;
  }

  test('are a change of a listed product, sent and dropped', async () => {
    const { id } = await live(market, seller, admin);
    const changes = await given(id);
    expect(await announced(async () => edit(await market.ctx(seller), id, changes))).toEqual([
      `pending:${id}`,
    ]);
    expect(
      await announced(async () =>
        decideEdit(await market.ctx(admin), id, 'reject', { reason: 'Dark photos' }),
      ),
    ).toEqual([`pending:${id}`]);
  });

  test('are one under review that is corrected or withdrawn', async () => {
    const { id } = await submitted(market, seller);
    const changes = await given(id);
    market.clock.advance({ minutes: 1 });
    expect(
      new Set(await announced(async () => edit(await market.ctx(seller), id, changes))),
    ).toEqual(new Set([`pending:${id}`]));
    market.clock.advance({ minutes: 1 });
    expect(await announced(async () => withdraw(await market.ctx(seller), id))).toEqual([
      `pending:${id}`,
    ]);
  });

  test('are somebody who signs up, and who changes how to be reached', async () => {
    let person = seller;
    expect(
      await announced(async () => {
        person = await signUpSeller(market);
      }),
    ).toEqual([`person:${person.sellerId}`]);
    const reached = () =>
      market.db
        .update(schema.sellers)
        .set({ location: 'Kribi, South' })
        .where(eq(schema.sellers.id, person.sellerId ?? ''));
    expect(await announced(reached)).toEqual([`person:${person.sellerId}`]);
    // Sales concern buyers; sellers' data does not, and invalidates no cached page.
    expect(isPublic({ kind: 'person', id: '' }) || isPublic({ kind: 'pending', id: '' })).toBe(
      false,
    );
  });
});

describe('the memory of versions', () => {
  const html = (text: string) => `<p>${text}</p><i data-version="${unversioned}"></i>`;

  test('tells each thing once, in order', () => {
    const versions = createVersions();
    const version = versionIn(versions.begin()(html('now')));
    for (const change of ['slot:1', 'product:a', 'slot:1']) versions.changed(change);
    expect(versions.since(version)).toEqual(['slot:1', 'product:a']);
  });

  test('has everything looked at after a gap in what was heard, and after more changes than are worth telling', () => {
    const versions = createVersions();
    const version = versionIn(versions.begin()(html('now')));
    versions.changed('all:');
    expect(versions.since(version)).toEqual(['all:']);
    for (let n = 0; n < 500; n++) versions.changed(`product:${n}`);
    expect(versions.since(version)).toEqual(['all:']);
    const later = versionIn(versions.begin()(html('later')));
    versions.changed('slot:9');
    expect(versions.since(later)).toEqual(['slot:9']);
  });

  test('forgets the pages that were not seen for longest', () => {
    const versions = createVersions();
    const draw = (text: string) => versionIn(versions.begin()(html(text)));
    const [old, kept] = [draw('old'), draw('kept')];
    for (let n = 0; n < 1998; n++) draw(`made up ${n}`);
    expect([versions.since(old), draw('kept')]).toEqual([[], kept]);
    draw('one more');
    expect([versions.since(old), versions.since(kept)]).toEqual([['all:'], []]);
  });

  test('does not let a slow rendering take back what a quick one of the same content has shown', () => {
    const versions = createVersions();
    const slow = versions.begin();
    versions.changed('slot:1');
    const version = versionIn(versions.begin()(html('now')));
    slow(html('now'));
    expect(versions.since(version)).toEqual([]);
  });

  test('leaves pages alone that open no line', () => {
    expect(createVersions().begin()('<p>How it works</p>')).toBe('<p>How it works</p>');
  });
});

describe('stored pages', () => {
  test('are fresh as soon as a change of a slot is announced', async () => {
    await allHeard();
    shown = 'before';
    running.pageCache.drop();
    expect(await home()).toContain('before');
    shown = 'after';
    const heard = nextNews('slot', '54');
    await market.db
      .update(schema.slots)
      .set({ isFeatured: sql`not is_featured` })
      .where(sql`id = 54`);
    await heard;
    expect(await home()).toContain('after');
  });

  test('are written again after the connection that hears of news was lost', async () => {
    shown = 'before the loss';
    running.pageCache.drop();
    expect(await home()).toContain('before the loss');
    shown = 'after the loss';
    await market.sql`select pg_terminate_backend(pid)
      from pg_stat_activity where datname = current_database()
      and query ilike 'listen%'`;
    await expect.poll(home).toContain('after the loss');
    shown = 'after';
    running.pageCache.drop();
    expect(await home()).toContain('after');
  });

  test('stay through what pages do not show: a counter throws nothing away', async () => {
    expect(await home()).toContain('after');
    shown = 'never asked for';
    await market.db.update(schema.slotEngagement).set({ views: 7 }).where(sql`slot_id = 54`);
    await market.db.update(schema.slots).set({ updatedAt: market.clock.now() }).where(sql`id = 54`);
    // Any event of the two writes above would arrive before this.
    await allHeard();
    expect(await home()).toContain('after');
  });
});
