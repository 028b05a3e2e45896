import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The addresses and networks (`203.0.113.0/24`) of a list, undefined if one is none. */
export function networksIn(list: readonly string[]): BlockList | undefined {
  const networks = new BlockList();
  for (const one of list) {
    const [, address = one, bits] = /^([^/%]*)\/(\d{1,3})$/.exec(one) ?? [];
    const most = isIPv4(address) ? 32 : 128;
    const prefix = Number(bits ?? most);
    if (prefix > most || address.includes('%') || !(isIPv4(address) || isIPv6(address)))
      return undefined;
    networks.addSubnet(address, prefix, most === 32 ? 'ipv4' : 'ipv6');
  }
  return networks;
}
