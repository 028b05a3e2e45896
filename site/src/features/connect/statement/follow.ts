/**
 * Reloads the statement after a purchase or a refund on this page, without touching the open
 * dialog.
 */
export function followStatement(): void {
  window.addEventListener('connect:balance', async () => {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [old, made] = [document, page].map((place) => place.querySelector('[data-statement]'));
    if (response.ok && old && made) old.replaceWith(made);
  });
}
