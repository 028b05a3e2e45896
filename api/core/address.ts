import { isIPv6 } from 'node:net';

/**
 * What one customer of a network has, for limits by address: an IPv4 address itself, of an IPv6 address its first 64 bits (whoever has
 * one has 2^64 of them). An IPv4 address written as IPv6 is the IPv4 address; what is no address stays as it is.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  // An IPv4 part at the end stands for two groups.
  const length = groups.length + rest.reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0);
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - length)).fill('0'), ...rest];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
