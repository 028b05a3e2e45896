import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** ISO time, or `change` for until the next change. Removed before the answer leaves the server. */
export const cacheUntilHeader = 'x-cache-until';

export type Kept = {
  until: number;
  /** First doubt; undefined while fresh. */
  doubted?: number;
  asked: boolean;
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | undefined;
  // Plain objects are validated name by name for each answer.
  headers: Headers;
  brotliHeaders: Headers;
};

const compress = promisify(brotliCompress);
const best = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const quick = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const notKept = new Set([
  'content-length',
  'content-encoding',
  'x-request-id',
  'set-cookie',
  cacheUntilHeader,
]);

/** A rendered page to be stored; undefined, with the response unread, if it may not be. */
export async function keptPage(response: Response): Promise<Kept | undefined> {
  const until = response.headers.get(cacheUntilHeader);
  if (response.status !== 200 || until === null) return undefined;
  const plain = new Uint8Array(await response.arrayBuffer());
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const lasting = {
    ...Object.fromEntries([...response.headers].filter(([name]) => !notKept.has(name))),
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, accept-language, cookie',
  };
  return {
    until: until === 'change' ? Number.POSITIVE_INFINITY : new Date(until).getTime(),
    etag,
    plain,
    brotli: new Uint8Array(brotliCompressSync(plain, quick)),
    gzip: undefined,
    asked: false,
    headers: new Headers(lasting),
    brotliHeaders: new Headers({ ...lasting, 'content-encoding': 'br' }),
  };
}

/** The best compression takes eighty times as long, in another thread. */
export async function compressBest(kept: Kept): Promise<void> {
  kept.brotli = new Uint8Array(await compress(kept.plain, best).catch(() => kept.brotli));
}

/** The page in the encoding that the request accepts, or 304. */
export function answerWith(kept: Kept, request: Request): Response {
  if (request.headers.get('if-none-match') === kept.etag)
    return new Response(null, { status: 304, headers: kept.headers });
  const accepted = request.headers.get('accept-encoding');
  const head = request.method === 'HEAD';
  if (accepted?.includes('br'))
    return new Response(head ? null : kept.brotli, { headers: kept.brotliHeaders });
  if (accepted?.includes('gzip')) {
    kept.gzip ??= new Uint8Array(gzipSync(kept.plain));
    const headers = new Headers(kept.headers);
    headers.set('content-encoding', 'gzip');
    return new Response(head ? null : kept.gzip, { headers });
  }
  return new Response(head ? null : kept.plain, { headers: kept.headers });
}
