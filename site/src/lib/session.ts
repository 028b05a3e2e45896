import { ApiError } from './api.ts';

/**
 * Leaves the page when the session behind a refused request is over (to `signIn`), or has lost its rights (the server shows the page
 * anew). Answers whether it does: then there is nothing more to say here.
 */
export function sessionLost(error: unknown, signIn: string): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 401) window.location.assign(signIn);
  else if (error.code === 'forbidden') window.location.reload();
  else return false;
  return true;
}
