import type { Env } from '../core/env.ts';

/** Detects backups that are encrypted to one key alone: when that is lost, nothing comes back. */
export const hasOneKey = ({ BACKUP_RECIPIENTS }: Pick<Env, 'BACKUP_RECIPIENTS'>): boolean =>
  BACKUP_RECIPIENTS.length === 1;
