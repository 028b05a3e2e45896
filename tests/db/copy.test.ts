import { once } from 'node:events';
import { Socket } from 'node:net';
import { Duplex, type Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, type Database, type Target } from '../../db/client.ts';
import { freshDatabase } from '../support/database.ts';

/**
 * COPY through our patch of postgres.js (decision 024): a slow or absent reader must never leave a
 * connection waiting for ever.
 */
const database = await freshDatabase();
const { host, port } = database.target as { host: string; port: number };
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);
const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pools) => pools.close()));
});

/**
 * A connection whose data arrives in two pieces, split after `end`. Unlike TCP's, these pieces
 * always fill the reader's buffer and pause the socket before the end of the copy is seen.
 */
class Line extends Duplex {
  #held: Buffer | undefined;
  #own = new Socket();

  readonly readyState = 'open';

  constructor(readonly mark: () => Buffer | undefined) {
    super({ allowHalfOpen: false });
    this.#own.on('data', (bytes: Buffer) => this.#arrived(bytes));
    this.#own.on('error', (error) => this.destroy(error));
    this.#own.on('close', () => this.destroy());
  }

  async open(): Promise<this> {
    this.#own.connect(`${host}/.s.PGSQL.${port}`);
    await once(this.#own, 'connect');
    return this;
  }

  #arrived(bytes: Buffer): void {
    const end = this.mark();
    if (!end) return void this.push(bytes);
    this.#held = Buffer.concat([this.#held ?? Buffer.alloc(0), bytes]);
    const at = this.#held.indexOf(end);
    if (at < 0 || at + end.length === this.#held.length) return;
    const held = this.#held;
    this.#held = undefined;
    this.push(held.subarray(0, at + end.length));
    this.push(held.subarray(at + end.length));
  }

  cut(): void {
    this.#own.destroy();
  }

  override _read(): void {}
  override _write(bytes: Buffer, _: string, done: (error?: Error | null) => void): void {
    this.#own.write(bytes, done);
  }
  override _final(done: (error?: Error | null) => void): void {
    this.#own.end(done);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#own.destroy();
    done(error);
  }
}

/** A pool of one observable connection. */
function pool(): { sql: Database['sql']; line: () => Line; split: (end?: Buffer) => void } {
  let [line, end]: [Line | undefined, Buffer | undefined] = [undefined, undefined];
  const socket = () => {
    line = new Line(() => end);
    return line.open();
  };
  const pools = connect({ ...(database.target as object), socket } as Target, { max: 1 });
  opened.push(pools);
  return { sql: pools.sql, line: () => line as Line, split: (next) => (end = next) };
}

const rows = `copy (select repeat('x', 999) from generate_series(1, 300)) to stdout`;
const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', String);
async function readAll(stream: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

describe('COPY TO STDOUT', () => {
  test('whose reader was so slow that the socket is paused when the end comes leaves its connection ready for more', async () => {
    const { sql, line, split } = pool();
    await sql`select 1`;
    split(copyDone);
    const stream = await sql.unsafe(rows).readable();
    split();
    expect(await readAll(stream)).toBe(300_000);
    expect(line().isPaused()).toBe(false);
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });

  test('whose reader goes away in the middle leaves its connection ready for more', async () => {
    const { sql, line, split } = pool();
    await sql`select 1`;
    split(copyDone);
    const stream = await sql.unsafe(rows).readable();
    split();
    for await (const _ of stream) break;
    expect(stream.destroyed).toBe(true);
    expect(line().isPaused()).toBe(false);
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });

  test('that fails in the middle fails its reader, and leaves its connection ready for more', async () => {
    const { sql, line, split } = pool();
    await sql`select 1`;
    split(Buffer.from('22012'));
    const stream = await sql
      .unsafe(
        `copy (select repeat('x', 999), 1 / (300 - n) from generate_series(1, 300) n) to stdout`,
      )
      .readable();
    split();
    expect(await failure(readAll(stream))).toMatch(/division by zero/);
    expect(line().isPaused()).toBe(false);
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });

  test('whose connection is cut in the middle fails its reader', async () => {
    const { sql, line } = pool();
    const stream = await sql
      .unsafe(`copy (select repeat('x', 999) from generate_series(1, 30000)) to stdout`)
      .readable();
    line().cut();
    expect(await failure(readAll(stream))).toMatch(/CONNECTION_CLOSED/);
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });
});

describe('COPY FROM STDIN', () => {
  const write = async (sql: Database['sql'], text: string) => {
    const sink = await sql.unsafe('copy counted (n) from stdin').writable();
    await new Promise<void>((resolve, reject) => {
      sink.on('error', reject).on('finish', resolve);
      sink.end(text);
    });
  };

  test('with a row that is refused fails its writer, and leaves its connection ready for more', async () => {
    const { sql } = pool();
    await sql`create temp table counted (n int)`;
    expect(await failure(write(sql, '1\nnone\n'))).toMatch(/invalid input syntax/);
    await write(sql, '1\n2\n');
    expect(await sql`select count(*)::int as rows from counted`).toEqual([{ rows: 2 }]);
  });

  test('whose connection is cut in the middle fails its writer', async () => {
    const { sql, line } = pool();
    await sql`create temp table counted (n int)`;
    const sink = await sql.unsafe('copy counted (n) from stdin').writable();
    const error = once(sink, 'error');
    line().cut();
    expect(String((await error)[0])).toMatch(/CONNECTION_CLOSED/);
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  });
});
