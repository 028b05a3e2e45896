import { ApiError } from './api.ts';

/**
 * Leaves the page when its session has ended (to `signIn`) or lost its rights (reload). Returns
 * true if it does, so that the caller shows no error.
 */
export function sessionLost(error: unknown, signIn: string): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 401) window.location.assign(signIn);
  else if (error.code === 'forbidden') window.location.reload();
  else return false;
  return true;
}
