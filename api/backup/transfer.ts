import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
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
export function createTransfer(
  { bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Options,
  patience = usualPatience,
) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const root = `${endpoint.replace(/\/$/, '')}/${bucket}/`;

  async function ask(
    method: string,
    key: string,
    query: string,
    signal: AbortSignal,
    more: { body?: Uint8Array<ArrayBuffer> | string; range?: string } = {},
  ) {
    const { body, range } = more;
    const response = await client.fetch(`${root}${key}${query && `?${query}`}`, {
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

  async function again<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        return await work();
      } catch (error) {
        if (n === tries || signal.aborted || (error as Failure).lasting) throw error;
        await pause(patience.pauseMs * n, undefined, { signal });
      }
    }
  }

  return {
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
        const length = Math.max(patience.partBytes, Math.ceil(size / mostParts));
        const inTime = (ms = slowestMs) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
        const text = async (method: string, query: string, body: string) =>
          (await ask(method, key, query, inTime(), { body })).text();
        const begun = await again(signal, () => text('POST', 'uploads=', ''));
        id = encodeURIComponent(/<UploadId>([^<]{1,2048})<\/UploadId>/.exec(begun)?.[1] ?? '');
        if (!id) throw new Error('The bucket takes no upload in parts.');
        const hash = createHash('sha256');
        const parts: string[] = [];
        for (let from = 0; from < size; from += length) {
          const body = Buffer.alloc(Math.min(length, size - from));
          const { bytesRead } = await source.read(body, 0, body.length, from);
          if (bytesRead !== body.length) throw new Error(`${file} was changed while it was sent.`);
          hash.update(body);
          const query = `partNumber=${parts.length + 1}&uploadId=${id}`;
          parts.push(
            await again(
              signal,
              async () =>
                (await ask('PUT', key, query, inTime(patience.partMs), { body })).headers.get(
                  'etag',
                ) ?? '',
            ),
          );
        }
        const list = parts
          .map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
          .join('');
        const done = await text(
          'POST',
          `uploadId=${id}`,
          `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
        );
        // S3 may answer 200 before it knows that assembling failed.
        if (!done.includes('CompleteMultipartUploadResult'))
          throw new Error('The bucket did not put the parts of the upload together.');
        return { bytes: size, sha256: hash.digest('hex') };
      } catch (error) {
        if (id)
          await ask('DELETE', key, `uploadId=${id}`, AbortSignal.timeout(tidyMs)).catch(() => {});
        throw signal.aborted ? signal.reason : error;
      } finally {
        await source.close();
      }
    },

    /** Downloads into a new file and resumes after a cut. Throws if size or hash differ. */
    async receive(
      key: string,
      file: string,
      expected: { bytes: number; sha256: string },
    ): Promise<void> {
      const into = await open(file, 'wx', 0o600);
      const hash = createHash('sha256');
      let got = 0;
      const rest = async () => {
        const stop = new AbortController();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const heard = () => {
          clearTimeout(timer);
          timer = setTimeout(
            () => stop.abort(new Error('The bucket went silent')),
            patience.silenceMs,
          );
        };
        try {
          heard();
          const response = await ask('GET', key, '', stop.signal, {
            range: `bytes=${got}-${expected.bytes - 1}`,
          });
          if (got > 0 && response.status !== 206)
            throw new Error('The bucket cannot go on with a download that was cut');
          for await (const chunk of response.body ?? []) {
            heard();
            if (got + chunk.length > expected.bytes) throw new BadBackup(otherThan);
            hash.update(chunk);
            await into.writeFile(chunk);
            got += chunk.length;
          }
        } finally {
          clearTimeout(timer);
          stop.abort();
        }
      };
      try {
        for (let fruitless = 0; got < expected.bytes; ) {
          const before = got;
          const failure: Failure = await rest().then(
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
          await pause(patience.pauseMs);
        }
      } finally {
        await into.close();
      }
      if (hash.digest('hex') !== expected.sha256) throw new BadBackup(otherThan);
    },
  };
}

const otherThan =
  'This backup is not the one that was written: somebody changed it in the bucket, or its receipt is of another one.';
