import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Options } from '../ops/storage.ts';
import { BadBackup } from './format.ts';

export type Patience = {
  /** S3 demands 5 MiB for all parts but the last. */
  partBytes: number;
  /** Time for uploading one part, and for silence in a download. */
  partMs: number;
  silenceMs: number;
  /** Wait before a retry. */
  pauseMs: number;
};
// 9 KB/s, slower than any connection the market serves.
const usualPatience: Patience = {
  partBytes: 5 * 1024 * 1024,
  partMs: 600_000,
  silenceMs: 60_000,
  pauseMs: 2000,
};
/** Assembling a large upload may take minutes. */
const slowestMs = 600_000;
const tries = 3;
const mostParts = 10_000;
/** `lasting`: a retry cannot help. */
type Failure = Error & { lasting?: boolean; code?: string };
const ofTheDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** Cleanup after a failure; a stop of the process waits for it. */
const tidyMs = 3000;

/**
 * Transfers large files with one part in memory. Bun's client cannot abort a multipart upload, and
 * ending one with an error completes it with what it has (Bun 1.4.5).
 */
export class Transfer {
  #client: AwsClient;
  #root: string;
  #patience: Patience;

  constructor(
    { bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Options,
    patience = usualPatience,
  ) {
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      retries: 0,
    });
    this.#root = `${endpoint.replace(/\/$/, '')}/${bucket}/`;
    this.#patience = patience;
  }

  /** The object appears whole or not at all; parts of a failed upload are deleted. */
  async send(
    file: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ bytes: number; sha256: string }> {
    const source = await open(file);
    let id = '';
    try {
      const { size } = await source.stat();
      const begun = await this.#again(signal, () => this.#post(key, 'uploads=', '', signal));
      id = encodeURIComponent(/<UploadId>([^<]{1,2048})<\/UploadId>/.exec(begun)?.[1] ?? '');
      if (!id) throw new Error('The bucket takes no upload in parts.');
      const hash = createHash('sha256');
      const parts: string[] = [];
      for await (const body of this.#partsOf(source, size, file)) {
        hash.update(body);
        const query = `partNumber=${parts.length + 1}&uploadId=${id}`;
        const { headers } = await this.#again(signal, () =>
          this.#ask('PUT', key, query, inTime(signal, this.#patience.partMs), { body }),
        );
        parts.push(headers.get('etag') ?? '');
      }
      const list = parts
        .map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
        .join('');
      const whole = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
      const done = await this.#post(key, `uploadId=${id}`, whole, signal);
      // S3 may answer 200 before it knows that assembling failed.
      if (!done.includes('CompleteMultipartUploadResult'))
        throw new Error('The bucket did not put the parts of the upload together.');
      return { bytes: size, sha256: hash.digest('hex') };
    } catch (error) {
      if (id)
        await this.#ask('DELETE', key, `uploadId=${id}`, AbortSignal.timeout(tidyMs)).catch(
          () => {},
        );
      throw signal.aborted ? signal.reason : error;
    } finally {
      await source.close();
    }
  }

  /** Downloads into a new file and resumes after a cut. Throws if size or hash differ. */
  async receive(
    key: string,
    file: string,
    expected: { bytes: number; sha256: string },
  ): Promise<void> {
    const into = await open(file, 'wx', 0o600);
    const hash = createHash('sha256');
    let got = 0;
    const take = async (chunk: Uint8Array) => {
      if (got + chunk.length > expected.bytes) throw new BadBackup(otherThan);
      hash.update(chunk);
      await into.writeFile(chunk);
      got += chunk.length;
    };
    try {
      for (let fruitless = 0; got < expected.bytes; ) {
        const before = got;
        const failure: Failure = await this.#rest(key, got, expected.bytes, take).then(
          () => new Error('The connection was cut'),
          (error: Failure) => error,
        );
        if (got === expected.bytes) break;
        fruitless = got > before ? 0 : fruitless + 1;
        if (
          fruitless === tries ||
          failure instanceof BadBackup ||
          failure.lasting ||
          ofTheDisk.has(failure.code ?? '')
        )
          throw failure;
        await pause(this.#patience.pauseMs);
      }
    } finally {
      await into.close();
    }
    if (hash.digest('hex') !== expected.sha256) throw new BadBackup(otherThan);
  }

  async *#partsOf(
    source: FileHandle,
    size: number,
    file: string,
  ): AsyncGenerator<Buffer<ArrayBuffer>> {
    const length = Math.max(this.#patience.partBytes, Math.ceil(size / mostParts));
    for (let from = 0; from < size; from += length) {
      const body = Buffer.alloc(Math.min(length, size - from));
      const { bytesRead } = await source.read(body, 0, body.length, from);
      if (bytesRead !== body.length) throw new Error(`${file} was changed while it was sent.`);
      yield body;
    }
  }

  /** The object from a byte on; aborts in silence. */
  async #rest(
    key: string,
    from: number,
    bytes: number,
    take: (chunk: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => stop.abort(new Error('The bucket went silent')),
        this.#patience.silenceMs,
      );
    };
    try {
      heard();
      const range = `bytes=${from}-${bytes - 1}`;
      const response = await this.#ask('GET', key, '', stop.signal, { range });
      if (from > 0 && response.status !== 206)
        throw new Error('The bucket cannot go on with a download that was cut');
      for await (const chunk of response.body ?? []) {
        heard();
        await take(chunk);
      }
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  async #post(key: string, query: string, body: string, signal: AbortSignal): Promise<string> {
    return (await this.#ask('POST', key, query, inTime(signal, slowestMs), { body })).text();
  }

  async #ask(
    method: string,
    key: string,
    query: string,
    signal: AbortSignal,
    { body, range }: { body?: Uint8Array<ArrayBuffer> | string; range?: string } = {},
  ) {
    const response = await this.#client.fetch(`${this.#root}${key}${query && `?${query}`}`, {
      method,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      headers: range ? { range } : {},
    });
    if (response.ok) return response;
    const code = /<Code>(\w{1,64})<\/Code>/.exec((await response.text()).slice(0, 4096))?.[1] ?? '';
    // S3 answers a slow request with 400 RequestTimeout.
    const lasting =
      response.status < 500 && ![408, 429].includes(response.status) && code !== 'RequestTimeout';
    throw Object.assign(new Error(`The bucket answered ${response.status} ${code}`.trim()), {
      lasting,
    });
  }

  async #again<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        return await work();
      } catch (error) {
        if (n === tries || signal.aborted || (error as Failure).lasting) throw error;
        await pause(this.#patience.pauseMs * n, undefined, { signal });
      }
    }
  }
}

const inTime = (signal: AbortSignal, ms: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)]);

const otherThan =
  'This backup is not the one that was written: somebody changed it in the bucket, or its receipt is of another one.';
