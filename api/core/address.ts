import { isIPv4, isIPv6 } from 'node:net';

/** What a request without a readable address counts as: all of them together. */
const unknownAddress = 'unknown';

/** Longer is no address: `[` + 39 characters + `%` + a zone + `]:65535` is far below. */
const longest = 100;
/** Prefixes of addresses that carry an IPv4 in their last 32 bits: mapped, and translated (RFC 4291, RFC 6052). */
const carriers = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * The network address that limits count, in one spelling: an IPv4 as such, and of an IPv6 its first 64 bits, because a single home or
 * phone is given at least that many addresses. An IPv4 inside an IPv6 is the IPv4. Brackets, ports and zones fall away.
 * Nothing when the text is no address.
 */
export function networkOf(text: string | undefined): string | undefined {
  if (!text || text.length > longest) return undefined;
  const bare = text.trim();
  const [, inBrackets] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(bare) ?? [];
  if (inBrackets !== undefined) return isIPv4(inBrackets) ? undefined : networkOfV6(inBrackets);
  const [, withoutPort = bare] = /^([^:]+):\d{1,5}$/.exec(bare) ?? [];
  return isIPv4(withoutPort) ? withoutPort : networkOfV6(bare);
}

function networkOfV6(text: string): string | undefined {
  const address = text.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return undefined;
  // The address parser of the platform writes every spelling the same way, an IPv4 at the end included.
  const [front = '', back = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [head, tail] = [front, back].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  if (carriers.includes(groups.slice(0, 6).join(':'))) {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * Whose request it is. Behind a trusted proxy the last entry of `x-forwarded-for` counts, which that proxy wrote: those before it
 * are whatever the visitor sent. When it is no address, the request counts as the connection's own.
 */
export function clientNetwork({
  forwarded,
  socket,
  trustProxy,
}: {
  forwarded: string | null;
  socket: string | undefined;
  trustProxy: boolean;
}): string {
  const last = trustProxy ? forwarded?.slice(forwarded.lastIndexOf(',') + 1) : undefined;
  return networkOf(last) ?? networkOf(socket) ?? unknownAddress;
}
