import type { Env } from '../ops/env.ts';

export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(address);

const named = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const ofLoopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Filters `Host` headers of a demo on loopback: a foreign page could point its name at this machine
 * and read the demo's mail (DNS rebinding). Undefined when any name passes: outside the demo, or
 * once it is opened to others.
 * @param facing the address browsers reach, if another process forwards requests
 */
export function knownHosts(
  { demo, HOST, PUBLIC_URL }: Pick<Env, 'demo' | 'HOST' | 'PUBLIC_URL'>,
  facing = HOST,
): ((host: string | null) => boolean) | undefined {
  if (!demo || !isLoopback(facing)) return undefined;
  const own = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL).hostname;
  return (host) => {
    const name = named.exec(host ?? '')?.[1]?.toLowerCase();
    return name !== undefined && (ofLoopback.test(name) || name === own);
  };
}
