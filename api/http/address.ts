import { type BlockList, isIPv4, isIPv6 } from 'node:net';

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
  const address = addressIn(text);
  return address && (isIPv4(address) ? address : networkOfV6(address));
}

/** The address alone, without brackets, port and zone. */
function addressIn(text: string | undefined): string | undefined {
  if (!text || text.length > longest) return undefined;
  const bare = text.trim();
  const [, inBrackets] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(bare) ?? [];
  const [, withoutPort = bare] = /^([^:]+):\d{1,5}$/.exec(bare) ?? [];
  if (inBrackets === undefined && isIPv4(withoutPort)) return withoutPort;
  const address = (inBrackets ?? bare).split('%', 1)[0] ?? '';
  return isIPv6(address) ? address : undefined;
}

function networkOfV6(address: string): string {
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

/** Longer chains of proxies are not read. */
const mostHops = 10;

/**
 * The network of a request. Behind a trusted proxy it is the last entry of `x-forwarded-for` that is
 * no other trusted proxy, such as a CDN's: visitors can forge what stands before it.
 */
export function clientNetwork({
  forwarded,
  socket,
  trustProxy,
  proxies,
}: {
  forwarded: string | null;
  socket: string | undefined;
  trustProxy: boolean;
  proxies?: BlockList | undefined;
}): string {
  const entries = trustProxy && forwarded ? forwarded.split(',').slice(-mostHops) : [];
  let entry = entries.pop();
  while (entries.length > 0 && proxies && isIn(proxies, addressIn(entry))) entry = entries.pop();
  return networkOf(entry) ?? networkOf(socket) ?? unknownAddress;
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');
const isIn = (list: BlockList, address: string | undefined): boolean =>
  address !== undefined && list.check(address, familyOf(address));
