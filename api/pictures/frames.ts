export type Message<H = Record<string, unknown>> = { head: H; files: Uint8Array[] };

/** Bytes: one photo with all its files, and a margin. */
const most = 32 * 1024 * 1024;

/** Length of the head (4 bytes), head as JSON with file lengths, files. */
export function pack({ head, files }: Message<object>): Uint8Array {
  const json = Buffer.from(JSON.stringify({ head, lengths: files.map((file) => file.byteLength) }));
  const start = Buffer.alloc(4);
  start.writeUInt32BE(json.byteLength);
  return Buffer.concat([start, json, ...files]);
}

/** Reassembles messages from chunks. Throws if one is malformed or too long. */
export function unpack(take: (message: Message) => void): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let needed = 4;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.byteLength;
    while (held >= needed) {
      const all = Buffer.concat(chunks);
      chunks = [all];
      const headEnd = 4 + all.readUInt32BE(0);
      needed = expected(headEnd);
      if (held < needed) return;
      const { head, lengths } = JSON.parse(all.toString('utf8', 4, headEnd)) as {
        head: Record<string, unknown>;
        lengths: number[];
      };
      needed = expected(lengths.reduce((sum, length) => sum + length, headEnd));
      if (held < needed) return;
      let at = headEnd;
      const files = lengths.map((length) => {
        at += length;
        return new Uint8Array(all.subarray(at - length, at));
      });
      chunks = [all.subarray(needed)];
      held -= needed;
      needed = 4;
      take({ head, files });
    }
  };
}

function expected(length: number): number {
  if (!Number.isSafeInteger(length) || length < 0 || length > most)
    throw new Error('The message is too long');
  return length;
}
