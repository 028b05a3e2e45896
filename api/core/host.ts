import type { Env } from './env.ts';

/** True for a listening address of the loopback interface. */
export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(address);

/** A `Host` header's name, which may have a port behind it. */
const named = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const ofLoopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Which `Host` headers a demo on loopback answers to: this machine's names, and that of PUBLIC_URL. A page elsewhere can give
 * its own name this machine's address and would read the demo's letters (DNS rebinding). Undefined where any name is answered:
 * a demo that was opened to others, and every market that is no demo.
 * @param facing the address that browsers reach, where another process passes their requests on
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
