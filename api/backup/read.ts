import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import {
  BadBackup,
  type Manifest,
  manifestName,
  manifestSchema,
  partLimit,
  partOf,
  same,
  sealName,
  sealOf,
  sha256,
  sumLine,
  sumsName,
} from './format.ts';
import { isSealed, unseal } from './sealing.ts';

type Part = { name: string; bytes: Buffer };

async function* partsIn(file: string, identities: readonly string[]): AsyncGenerator<Part> {
  const parts = extract();
  const sealed = await isSealed(file);
  const stored = createReadStream(file);
  const source = sealed ? Readable.from(unseal(stored, identities)) : stored;
  source.on('error', (error) => parts.destroy(error));
  source.pipe(parts);
  try {
    for await (const entry of parts) {
      const { name, type, size = 0 } = entry.header;
      if (type !== 'file' || size > partLimit)
        throw new BadBackup(
          `This is no backup of the market: ${JSON.stringify(name.slice(0, 100))} cannot be in one.`,
        );
      yield { name, bytes: await buffer(entry) };
    }
  } finally {
    source.destroy();
    stored.destroy();
  }
}

/**
 * Verifies a whole backup before any of it is used. Throws {@link BadBackup} if it is cut short,
 * changed, signed with another key than `key`, or not encrypted to `identities`.
 */
export async function verifyBackup(
  file: string,
  key: string | undefined,
  identities: readonly string[] = [],
): Promise<Manifest> {
  let lines: string[] = [];
  const sums: string[] = [];
  let manifest: Buffer | undefined;
  let sealed = false;
  try {
    for await (const { name, bytes } of partsIn(file, identities)) {
      if (sealed) throw new BadBackup('Something follows the end of this backup.');
      if (manifest) {
        expectSeal(name, bytes.toString(), manifest, key);
        sealed = true;
      } else if (name === manifestName) {
        if (lines.length > 0) throw new BadBackup('Parts of this backup have no sum.');
        manifest = bytes;
      } else if (name === sumsName(sums.length + 1)) {
        if (lines.join('') !== bytes.toString())
          throw new BadBackup(
            `This backup is damaged: what is ahead of ${name} is not what was written.`,
          );
        sums.push(sha256(bytes));
        lines = [];
      } else {
        if (!partOf(name))
          throw new BadBackup(
            `This is no backup of the market: ${JSON.stringify(name.slice(0, 100))} cannot be in one.`,
          );
        lines.push(sumLine(name, bytes));
      }
    }
  } catch (error) {
    if (error instanceof BadBackup || (error as NodeJS.ErrnoException).code === 'ENOENT')
      throw error;
    throw new BadBackup(
      `This is no backup, or one that was cut short: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!manifest || !sealed) throw new BadBackup('This backup was cut short: its end is missing.');
  const read = manifestSchema.safeParse(parsed(manifest));
  if (!read.success)
    throw new BadBackup(
      'The manifest of this backup cannot be read: it is damaged, or of another version of the market.',
    );
  if (!same(read.data.sums.join(), sums.join()))
    throw new BadBackup('Parts of this backup are missing.');
  return read.data;
}

function expectSeal(name: string, seal: string, manifest: Buffer, key: string | undefined): void {
  if (name !== sealName || !seal.startsWith(sealOf(manifest, undefined)))
    throw new BadBackup('This backup is damaged: its manifest is not what was written.');
  if (key && !same(seal, sealOf(manifest, key)))
    throw new BadBackup(
      'This backup was not signed with your BACKUP_KEY. Without the key in the environment it is restored as it is.',
    );
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Contents of a verified backup. */
export async function* contentsOf(
  file: string,
  identities: readonly string[],
): AsyncGenerator<{ table: string; bytes: Buffer } | { file: string; bytes: Buffer }> {
  for await (const { name, bytes } of partsIn(file, identities)) {
    const part = partOf(name);
    if (part) yield { ...part, bytes };
  }
}
