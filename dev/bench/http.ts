import { brotliDecompressSync } from 'node:zlib';

/** Headers of a phone in Douala: language and encoding are negotiated, nothing is cached. */
export const phoneHeaders = { 'accept-language': 'fr', 'accept-encoding': 'br, gzip' };

export type Received = { status: number; bytes: Uint8Array<ArrayBuffer>; headers: Headers };

/** An answer as it travelled, still compressed. */
export async function receive(
  url: string,
  headers: Record<string, string> = phoneHeaders,
): Promise<Received> {
  const response = await fetch(url, { headers, decompress: false });
  return {
    status: response.status,
    bytes: new Uint8Array(await response.arrayBuffer()),
    headers: response.headers,
  };
}

export const unpacked = ({ bytes, headers }: Received): string => {
  const encoding = headers.get('content-encoding');
  const plain =
    encoding === 'br'
      ? brotliDecompressSync(bytes)
      : encoding === 'gzip'
        ? Bun.gunzipSync(bytes)
        : bytes;
  return new TextDecoder().decode(plain);
};

/**
 * Fetches a page until it has its best compression, a moment after the first answer. Returns the
 * first and the last answer.
 */
export async function untilSettled(
  url: string,
  headers?: Record<string, string>,
  patienceMs = 3000,
): Promise<{ first: Received; last: Received }> {
  const first = await receive(url, headers);
  let last = first;
  for (
    const deadline = performance.now() + patienceMs;
    performance.now() < deadline && last.bytes.byteLength === first.bytes.byteLength;
  ) {
    await Bun.sleep(20);
    last = await receive(url, headers);
  }
  return { first, last };
}
