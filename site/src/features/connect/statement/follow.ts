/** Shows the statement anew when something was bought or taken back on the page itself; in the dialog that stands over it, nothing moves. */
export function followStatement(): void {
  window.addEventListener('connect:balance', async () => {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [old, made] = [document, page].map((place) => place.querySelector('[data-statement]'));
    if (response.ok && old && made) old.replaceWith(made);
  });
}
