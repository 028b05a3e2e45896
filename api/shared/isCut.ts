/**
 * True if a photo's file lacks its end: a JPEG's end marker behind its last scan, a PNG's last
 * chunk, or bytes that a WebP's head counts.
 */
export function isCut(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0x52) return bytes.length < 12 || view.getUint32(4, true) + 8 > bytes.length;
  if (bytes[0] === 0x89) {
    for (let at = bytes.length - 4; at > 8; at -= 1)
      if (view.getUint32(at) === 0x49454e44) return false;
    return true;
  }
  if (bytes[0] !== 0xff) return false;
  for (let at = bytes.length - 2; at > 2; at -= 1) {
    if (bytes[at] !== 0xff) continue;
    if (bytes[at + 1] === 0xd9) return false;
    if (bytes[at + 1] === 0xda) return true;
  }
  return true;
}
