import { Resolver } from 'node:dns/promises';

export type Dns = {
  /** Each record joined; none for a missing name. Throws without an answer. */
  txt(name: string): Promise<string[]>;
};

const none = ['ENOTFOUND', 'ENODATA'];

/** The machine's resolver, or the given servers; gives up after about three seconds. */
export function systemDns(servers?: readonly string[]): Dns {
  return {
    async txt(name) {
      // A resolver keeps the servers the machine had when it was created.
      const resolver = new Resolver({ timeout: 1000, tries: 2 });
      if (servers) resolver.setServers(servers);
      try {
        return joined((await resolver.resolveTxt(name)).map((parts) => parts.join('')));
      } catch (error) {
        if (error instanceof Error && none.includes(String((error as NodeJS.ErrnoException).code)))
          return [];
        throw error;
      }
    },
  };
}

const pieceBytes = 255;

/**
 * Bun returns the pieces of a long record as separate records: a full piece continues in the next.
 */
function joined(pieces: readonly string[]): string[] {
  const records: string[] = [];
  let goesOn = false;
  for (const piece of pieces) {
    if (goesOn) records.push(`${records.pop() ?? ''}${piece}`);
    else records.push(piece);
    goesOn = Buffer.byteLength(piece) === pieceBytes;
  }
  return records;
}
