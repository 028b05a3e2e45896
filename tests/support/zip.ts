/** Reads a zip's files by its central directory; entries must be stored uncompressed. */
export function filesInZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('This is no zip, or one that was cut short');
  const files = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry++) {
    const size = view.getUint32(at + 24, true);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const head = view.getUint32(at + 42, true);
    const from = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
    files.set(name, bytes.subarray(from, from + size));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

export const textInZip = (files: Map<string, Uint8Array>, name: string): string =>
  new TextDecoder().decode(files.get(name));
