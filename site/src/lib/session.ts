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

const channel = () => ('BroadcastChannel' in globalThis ? new BroadcastChannel('marche54.session') : undefined);

/** Tells the other pages of this browser that somebody has signed in or out. */
export function tellSessionChange(): void {
  const line = channel();
  line?.postMessage('changed');
  line?.close();
}

export function onSessionChange(heard: () => void): void {
  channel()?.addEventListener('message', heard);
}
