import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import S3rver, { type Content, type Store } from 's3rver';

/** Starts an S3 server with one bucket, addressed by path as MinIO and Ceph are. */
export async function openBucket() {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-bucket-'));
  const service = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'photos', configs: [] }],
  });
  answerWhenStored(service.store);
  const { port } = await service.run();
  return {
    folder,
    bucket: {
      bucket: 'photos',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the server answer a PUT after its bytes are in the file. s3rver answers when it has read
 * them, so that the next request can read a file that is still empty; and it keeps what arrived of
 * a PUT that was cut, over the whole one that followed it.
 */
function answerWhenStored(store: Store) {
  const keep = async (path: string, content: Content) => {
    const bytes = await readWhole(content);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return { size: bytes.length, md5: createHash('md5').update(bytes).digest('hex') };
  };
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const kept = await keep(store.getResourcePath(bucket, key, 'object'), content);
    await store.putMetadata(bucket, key, metadata, kept.md5);
    return kept;
  };
  store.putPart = async (bucket, uploadId, part, content) => {
    const folder = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId);
    const kept = await keep(join(folder, `${part}`), content);
    await writeFile(join(folder, `${part}.md5`), kept.md5);
    return kept;
  };
}

/** Reads a body. @throws when the connection ended before all of it came */
async function readWhole(content: Content) {
  if (Buffer.isBuffer(content)) return content;
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk as Uint8Array));
  const bytes = Buffer.concat(chunks);
  const length = content.headers?.['content-length'];
  if (length !== undefined && Number(length) !== bytes.length) throw new Error('The body was cut.');
  return bytes;
}
