import { log } from '../../lib/log.ts';
import { noteSession, onSessionChange } from '../../lib/mark.ts';

const checkEveryMs = 60_000;

let look: () => Promise<void> = async () => {};
/** Asks now who is signed in, and leaves the page where the session is over. Nothing on a page that does not keep checking. */
export const recheck = (): void => void look();

/**
 * The gate of an admin page in the browser (product §2). 'Verifying Admin Access' is shown for as long as somebody is asked who is signed in: over
 * the page when it is opened, taken out of the browser's cache, signed in beside or could not be verified; in a corner when it looks
 * again by itself, every minute and whenever it comes back into view.
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
  /** Covers the page with one of the two, in a corner or whole. */
  const show = (part: HTMLElement, quiet = false) => {
    verifying.hidden = part !== verifying;
    failed.hidden = part !== failed;
    cover.toggleAttribute('data-quiet', quiet);
    // Read aloud each minute it would be in the way as well.
    cover.setAttribute('aria-live', quiet ? 'off' : 'polite');
    cover.hidden = false;
  };
  /** The server could not tell who is here: the page stays covered, with the reason, and the next look may lift it. */
  const say = (message: string) => {
    log.warn('It could not be verified who is here', { message });
    const text = failed.querySelector('span');
    if (text) text.textContent = (cover.dataset.why ?? '…').replace('…', message);
    show(failed);
  };
  let asked = 0;
  const verify = async (quiet = false) => {
    const mine = ++asked;
    // What was covered stays so.
    show(verifying, quiet && (cover.hidden !== false || cover.hasAttribute('data-quiet')));
    let response: Response;
    try {
      response = await fetch('/api/auth/me');
      noteSession();
    } catch {
      // Offline: every request of the page is checked by the server anyway.
      if (mine === asked) cover.hidden = true;
      return;
    }
    const answer = (await response.json().catch(() => ({}))) as {
      role?: string;
      error?: { code?: string; message?: string };
    };
    if (mine !== asked) return;
    const { away, unread } = cover.dataset;
    // This answer takes no more than the session's row.
    if (!response.ok)
      say((answer.error?.code === 'unavailable' ? away : answer.error?.message) ?? unread ?? '');
    else if (answer.role === 'visitor') location.replace(signIn);
    else if (answer.role !== 'admin') location.reload();
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
  // A page left open beside the one where the admin signs out never leaves view.
  setInterval(lookAgain, checkEveryMs);
}

/** Signs out by the form's own door, and stays on the page with the reason when it does not open. */
async function signOut(form: HTMLFormElement): Promise<void> {
  const failed = document.querySelector<HTMLElement>('[data-sign-out-failed]');
  if (failed) failed.hidden = true;
  try {
    const fields = new URLSearchParams(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    // It answers with the way to the next page, which is not followed here.
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
