import { log } from '../../lib/log.ts';
import { noteSession, onSessionChange } from '../../lib/mark.ts';

const checkEveryMs = 60_000;

let look: () => Promise<void> = async () => {};
/** Verifies the session now, and leaves the page if it is over. No effect outside admin pages. */
export const recheck = (): void => void look();

/**
 * Admin gate in the browser (product §2). 'Verifying Admin Access' covers the page on opening, on
 * return from the cache, after a sign-in elsewhere, or after a failed check. The checks each minute
 * and on return to the tab show it in a corner only.
 */
export function keepChecking(): void {
  const cover = document.querySelector<HTMLElement>('[data-recheck]');
  if (!cover) return;
  const signIn = cover.dataset.recheck ?? '/';
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/sign-out"]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void signOut(form);
    });
  }
  const [verifying, failed] = ['[data-verifying]', '[data-failed]'].map((part) =>
    cover.querySelector<HTMLElement>(part),
  );
  if (!verifying || !failed) return;
  const show = (part: HTMLElement, quiet = false) => {
    verifying.hidden = part !== verifying;
    failed.hidden = part !== failed;
    cover.toggleAttribute('data-quiet', quiet);
    // Announced each minute it would disturb.
    cover.setAttribute('aria-live', quiet ? 'off' : 'polite');
    cover.hidden = false;
  };
  /** Covers the page with the server's error; the next check may lift it. */
  const say = (message: string) => {
    log.warn('It could not be verified who is here', { message });
    const text = failed.querySelector('span');
    if (text) text.textContent = (cover.dataset.why ?? '…').replace('…', message);
    show(failed);
  };
  let asked = 0;
  const verify = async (quiet = false) => {
    const mine = ++asked;
    // Keep a full cover during a quiet check.
    show(verifying, quiet && (cover.hidden !== false || cover.hasAttribute('data-quiet')));
    let response: Response;
    try {
      response = await fetch('/api/auth/me');
      noteSession();
    } catch {
      // Offline: the server checks every request anyway.
      if (mine === asked) cover.hidden = true;
      return;
    }
    const answer = (await response.json().catch(() => ({}))) as {
      role?: string;
      error?: { code?: string; message?: string };
    };
    if (mine !== asked) return;
    const { away, unread } = cover.dataset;
    // This endpoint only reads the session's row.
    if (!response.ok)
      say((answer.error?.code === 'unavailable' ? away : answer.error?.message) ?? unread ?? '');
    else if (answer.role === 'visitor') location.replace(signIn);
    else if (answer.role !== cover.dataset.role) location.reload();
    else cover.hidden = true;
  };
  const lookAgain = () => !document.hidden && verify(true);
  look = verify;
  void verify();
  failed.querySelector('button')?.addEventListener('click', () => void verify());
  addEventListener(
    'pageshow',
    (event) => (event as PageTransitionEvent).persisted && void verify(),
  );
  onSessionChange(() => void verify());
  document.addEventListener('visibilitychange', lookAgain);
  // A page beside the one that signs out never becomes hidden.
  setInterval(lookAgain, checkEveryMs);
}

/** Signs out by the form's action; on failure stays and shows the reason. */
async function signOut(form: HTMLFormElement): Promise<void> {
  const failed = document.querySelector<HTMLElement>('[data-sign-out-failed]');
  if (failed) failed.hidden = true;
  try {
    const fields = new URLSearchParams(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    // A redirect, not followed here.
    const response = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
    if (response.type !== 'opaqueredirect' && !response.ok)
      throw new Error(String(response.status));
    noteSession();
    location.assign(fields.get('returnTo') ?? '/');
  } catch (error) {
    log.error('Signing out failed', { error });
    if (!failed) return;
    failed.hidden = false;
    failed.scrollIntoView({ block: 'center' });
  }
}
