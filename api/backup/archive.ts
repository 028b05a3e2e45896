import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import {
  type Manifest,
  manifestName,
  partsPerSums,
  sealName,
  sealOf,
  sha256,
  sumLine,
  sumsName,
} from './format.ts';
import type { Seal } from './sealing.ts';

export type Archive = {
  add(name: string, bytes: Uint8Array): Promise<void>;
  seal(manifest: Omit<Manifest, 'sums'>, key: string | undefined): Promise<void>;
  /** Ends the archive once it is on disk; answers its size in bytes. */
  close(): Promise<number>;
  abandon(): Promise<void>;
};

/** Creates an owner-only file; fails if it exists. */
export type OpenFile = (path: string) => Writable & { bytesWritten: number };
const newFile: OpenFile = (path) =>
  createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });

/**
 * Opens a new tar file. A full or missing disk rejects the next call and never throws outside one.
 */
export function openArchive(file: string, openFile: OpenFile = newFile, seal?: Seal): Archive {
  const tar: Pack = pack();
  const out = openFile(file);
  const closed = new Promise<void>((resolve) => out.once('close', resolve));
  let failure: unknown;
  const ended = seal ? pipeline(tar, seal, out) : finished(tar.pipe(out));
  // Without listeners both streams' failure would end the process; callers get it from `ended`.
  tar.on('error', () => {});
  out.on('error', () => {});
  ended.catch((error) => {
    failure ??= error;
    tar.destroy(error as Error);
  });
  let lines: string[] = [];
  const sums: string[] = [];
  async function entry(name: string, bytes: Uint8Array): Promise<void> {
    if (failure) throw failure;
    const sink = tar.entry({ name, size: bytes.byteLength, mode: 0o600 });
    const done = once(sink, 'close');
    sink.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    await Promise.race([
      done,
      ended.then(() => Promise.reject(new Error('The file of the backup was closed'))),
    ]);
    if (failure) throw failure;
  }
  async function sum(): Promise<void> {
    if (lines.length === 0) return;
    const text = Buffer.from(lines.join(''));
    lines = [];
    sums.push(sha256(text));
    await entry(sumsName(sums.length), text);
  }
  return {
    async add(name, bytes) {
      await entry(name, bytes);
      lines.push(sumLine(name, bytes));
      if (lines.length >= partsPerSums) await sum();
    },
    async seal(manifest, key) {
      await sum();
      const text = Buffer.from(
        `${JSON.stringify({ ...manifest, sums } satisfies Manifest, null, 2)}\n`,
      );
      await entry(manifestName, text);
      await entry(sealName, Buffer.from(sealOf(text, key)));
    },
    async close() {
      tar.finalize();
      await ended;
      return out.bytesWritten;
    },
    async abandon() {
      failure ??= new Error('The backup was given up');
      tar.destroy();
      out.destroy();
      await closed;
    },
  };
}
