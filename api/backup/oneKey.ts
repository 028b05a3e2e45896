import type { Env } from '../ops/env.ts';

/** If the only key is lost, so is every backup. */
export const hasOneKey = ({ BACKUP_RECIPIENTS }: Pick<Env, 'BACKUP_RECIPIENTS'>): boolean =>
  BACKUP_RECIPIENTS.length === 1;
