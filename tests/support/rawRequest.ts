import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The answer on the socket; `status` 0 when it is no HTTP. */
export type Heard = { status: number; headers: Record<string, string[]>; body: string; ms: number };

/**
 * Sends raw bytes: `fetch` normalises addresses and refuses such headers. An endless answer
 * (server-sent events) is complete with its first bytes.
 */
export function send(port: number, bytes: Uint8Array, limitMs: number): Promise<Heard> {
  const headOnly = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'HEAD ';
  return new Promise((resolve) => {
    const began = performance.now();
    const parts: Buffer[] = [];
    let size = 0;
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...parse(Buffer.concat(parts)), ms: performance.now() - began });
    };
    const timer = setTimeout(finish, limitMs);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.byteLength;
      // Completeness is read from the head, since the server keeps some connections open despite
      // `close`.
      if (isWhole(size === part.byteLength ? part : Buffer.concat(parts), headOnly)) finish();
    });
    socket.on('close', finish);
    // A server that refuses a body may close before it was all written; its answer has been read.
    socket.on('error', () => {});
  });
}

const headEnd = Buffer.from('\r\n\r\n');

function headOf(all: Buffer): { head: string; body: Buffer } | undefined {
  const at = all.indexOf(headEnd);
  if (at < 0) return undefined;
  const head = all.subarray(0, at).toString('latin1');
  const body = all.subarray(at + 4);
  // Skips the interim "100 Continue".
  return head.startsWith('HTTP/1.1 100') ? headOf(body) : { head, body };
}

function isWhole(all: Buffer, headOnly: boolean): boolean {
  const found = headOf(all);
  if (!found) return false;
  const { head, body } = found;
  if (
    headOnly ||
    /^content-type: text\/event-stream/im.test(head) ||
    /^HTTP\/1\.1 (204|304)/.test(head)
  )
    return true;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return body.byteLength >= Number(length);
  return (
    /^transfer-encoding: chunked/im.test(head) &&
    body.subarray(-5).toString('latin1') === '0\r\n\r\n'
  );
}

function parse(all: Buffer): Omit<Heard, 'ms'> {
  const found = headOf(all);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(found?.head ?? '')?.[1] ?? 0);
  if (!found || !status) return { status: 0, headers: {}, body: all.toString('latin1') };
  const headers: Record<string, string[]> = {};
  for (const line of found.head.split('\r\n').slice(1)) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(at + 1).trim()];
  }
  const plain = headers['transfer-encoding']?.[0] === 'chunked' ? unchunk(found.body) : found.body;
  return {
    status,
    headers,
    body: unpack(plain, headers['content-encoding']?.[0]).toString('utf8'),
  };
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size =
      lineEnd < 0 ? 0 : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!size) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function unpack(bytes: Buffer, encoding: string | undefined): Buffer {
  try {
    if (encoding === 'gzip') return gunzipSync(bytes);
    if (encoding === 'deflate') return inflateSync(bytes);
    if (encoding === 'br') return brotliDecompressSync(bytes);
  } catch {
    // An answer to HEAD has the header and no body.
  }
  return bytes;
}
