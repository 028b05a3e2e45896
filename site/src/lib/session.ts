import { ApiError } from './api.ts';

/**
 * Handles a lost session: goes to `signIn` when it has ended, reloads when it has lost its rights.
 * Returns true if it did, so that the caller shows no error.
 */
export function sessionLost(error: unknown, signIn: string): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 401) window.location.assign(signIn);
  else if (error.code === 'forbidden') window.location.reload();
  else return false;
  return true;
}
