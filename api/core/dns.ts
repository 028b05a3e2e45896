import { Resolver } from 'node:dns/promises';

/** Asks the name system. Tests play it. */
export type Dns = {
  /**
   * The TXT records of a name, each in one piece; none where there is no such name. Throws when
   * nobody answers.
   */
  txt(name: string): Promise<string[]>;
};

const none = ['ENOTFOUND', 'ENODATA'];

/**
 * The machine's own resolver, or the given servers. A question that gets no answer fails after
 * about three seconds.
 */
export function systemDns(servers?: readonly string[]): Dns {
  return {
    async txt(name) {
      // One for each question: a resolver keeps the servers that the machine had when it was made.
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

/** A record travels in pieces of at most so many bytes. */
const pieceBytes = 255;

/**
 * Bun answers each piece of a long record as a record of its own, in order: a full piece goes on
 * with the next one.
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
