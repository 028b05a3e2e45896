import { isIPv4, isIPv6 } from 'node:net';

const unknownAddress = 'unknown';

/** More than any spelling: `[` + 39 characters + `%` + zone + `]:65535`. */
const longest = 100;
/** IPv6 prefixes before an embedded IPv4 (RFC 4291, RFC 6052). */
const carriers = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * The network that limits count, undefined when invalid: an IPv6 by its first 64 bits, since one
 * home or phone has at least that many addresses. An IPv4 within it counts as IPv4.
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
  // The URL parser gives every IPv6 one spelling.
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
 * The network of a request. Of `x-forwarded-for` only the last entry counts, and only behind a
 * trusted proxy: visitors can forge the others.
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
