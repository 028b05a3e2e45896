const checkEveryMs = 60_000;

/**
 * A sign-out or sign-in elsewhere is felt here (marketplace §2): whenever the page comes back into view it asks who is signed in.
 * A page that the browser took out of its cache stays covered until the answer is there.
 */
export function keepChecking(): void {
  const cover = document.querySelector<HTMLElement>('[data-recheck]');
  if (!cover) return;
  const signIn = cover.dataset.recheck ?? '/';
  // Signing out leads back to the admin's own door (marketplace §4).
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/sign-out"]')) {
    const returnTo = document.createElement('input');
    Object.assign(returnTo, { type: 'hidden', name: 'returnTo', value: `${signIn}?signedOut` });
    form.append(returnTo);
  }
  const check = async () => {
    try {
      const response = await fetch('/api/auth/me');
      const { role } = (await response.json()) as { role?: string };
      if (role === 'visitor') location.replace(signIn);
      else if (role !== 'admin') location.reload();
      else cover.hidden = true;
    } catch {
      // Offline: every request of the page is checked by the server anyway.
      cover.hidden = true;
    }
  };
  addEventListener('pageshow', (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    cover.hidden = false;
    check();
  });
  document.addEventListener('visibilitychange', () => !document.hidden && check());
  // A page left open beside the one where the admin signs out never leaves view.
  setInterval(() => !document.hidden && check(), checkEveryMs);
}
