import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { BadBackup, type Manifest } from './format.ts';
import type { Source } from './place.ts';
import { identitiesIn, isSealed } from './sealing.ts';
import { sign } from './signed.ts';

/**
 * Reads private keys of `--identity`: a file, or `-` for standard input. Refuses a key as argument,
 * which other users and the shell's history can see.
 */
export async function identitiesFrom(option: string | undefined): Promise<string[]> {
  if (option === undefined) return [];
  if (/AGE-SECRET-KEY-/i.test(option))
    throw new BadBackup(
      'A private key is never typed into a command: others can read it there. Use --identity <file> or --identity -, and treat this key as leaked.',
    );
  if (option !== '-') return identitiesIn(await readFile(option, 'utf8'));
  if (process.stdin.isTTY)
    console.error('Paste the private key (AGE-SECRET-KEY-1…), then Enter and Ctrl-D:');
  return identitiesIn(await text(process.stdin));
}

/**
 * Leaves a signed note for System Health beside an encrypted backup that was opened. Answers a
 * sentence if it cannot, since that must not fail a restore.
 */
export async function noteOpened(
  { file, name, place }: Source,
  { madeAt }: Manifest,
  key: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (!(await isSealed(file))) return undefined;
  if (!key)
    return 'Without BACKUP_KEY no note was left that this backup was opened: System Health will go on asking for a drill.';
  try {
    await place.writeNote(sign('opened', { name, madeAt, openedAt: now.toISOString() }, key));
    return undefined;
  } catch (error) {
    return `The note that this backup was opened could not be left in ${place.address}: ${error instanceof Error ? error.message : error}`;
  }
}
