const checkEveryMs = 60_000;

let look: () => Promise<void> = async () => {};
/** Asks now who is signed in, and leaves the page where the session is over. Nothing on a page that does not keep checking. */
export const recheck = (): void => void look();

/**
 * A sign-out or sign-in elsewhere is felt here (product §2): whenever the page comes back into view it asks who is signed in.
 * A page that the browser took out of its cache stays covered until the answer is there.
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
  const check = async () => {
    let response: Response;
    try {
      response = await fetch('/api/auth/me');
    } catch {
      // Offline: every request of the page is checked by the server anyway.
      cover.hidden = true;
      return;
    }
    const answer = (await response.json().catch(() => ({}))) as { role?: string; error?: { message?: string } };
    if (!response.ok) say(cover, answer.error?.message ?? cover.dataset.retry ?? '');
    else if (answer.role === 'visitor') location.replace(signIn);
    else if (answer.role !== 'admin') location.reload();
    else cover.hidden = true;
  };
  look = check;
  addEventListener('pageshow', (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    cover.hidden = false;
    check();
  });
  document.addEventListener('visibilitychange', () => !document.hidden && check());
  // A page left open beside the one where the admin signs out never leaves view.
  setInterval(() => !document.hidden && check(), checkEveryMs);
}

/** The server could not tell who is here: the page stays covered, with the reason, and the next look may lift it. */
function say(cover: HTMLElement, message: string): void {
  const [title, text] = [document.createElement('strong'), document.createElement('span')];
  title.textContent = cover.dataset.failed ?? '';
  text.textContent = (cover.dataset.why ?? '…').replace('…', message);
  cover.querySelector('p')?.replaceChildren(title, document.createElement('br'), text);
  cover.hidden = false;
}

/** Signs out by the form's own door, and stays on the page with the reason when it does not open. */
async function signOut(form: HTMLFormElement): Promise<void> {
  const failed = document.querySelector<HTMLElement>('[data-sign-out-failed]');
  if (failed) failed.hidden = true;
  try {
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    // It answers with the way to the next page, which is not followed here.
    const response = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
    if (response.type !== 'opaqueredirect' && !response.ok) throw new Error(String(response.status));
    location.assign(fields.get('returnTo') ?? '/');
  } catch {
    if (!failed) return;
    failed.hidden = false;
    failed.scrollIntoView({ block: 'center' });
  }
}
