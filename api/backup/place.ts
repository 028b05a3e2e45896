import type { Ctx } from '../core/context.ts';
import type { OpenFile } from './archive.ts';
import type { Written } from './write.ts';

export type Kept = { name: string; at: Date };
export type BackupPlace = {
  address: string;
  /** Whole backups, oldest first. */
  list(): Promise<Kept[]>;
  newest(): Promise<Kept | undefined>;
  /**
   * Encrypts if BACKUP_RECIPIENTS names keys. Throws as `writeBackup` does and then leaves nothing
   * that counts.
   */
  keep(ctx: Ctx, openFile?: OpenFile): Promise<Written>;
  /** Deletes backups older than `before`, no other files; answers their number. */
  prune(before: Date): Promise<number>;
  /** Signed note of the last opening with a private key. */
  note(): Promise<string | undefined>;
  writeNote(text: string): Promise<void>;
};

export type Source = {
  /** Local path, for a bucket of a still encrypted copy. */
  file: string;
  name: string;
  place: BackupPlace;
  /** Removes the copy. */
  done(): Promise<void>;
};
