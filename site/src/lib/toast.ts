export type ToastTone = 'good' | 'bad' | 'info';

/**
 * Shows a toast for 4.5 seconds, longer while hovered or focused, on a page with `.notices`. That
 * element moves into an open modal dialog, since everything outside is inert.
 */
export function toast(
  text: string,
  { tone = 'info', detail }: { tone?: ToastTone; detail?: string | Element | undefined } = {},
): void {
  const region = document.querySelector<HTMLElement>('.notices');
  if (!region) return;
  const home = document.querySelector('dialog[open]') ?? document.body;
  if (region.parentElement !== home) home.append(region);
  const line = document.createElement('div');
  line.className = `notice notice--${tone}`;
  line.setAttribute('role', tone === 'bad' ? 'alert' : 'status');
  const words = document.createElement('p');
  const main = document.createElement('strong');
  main.textContent = text;
  words.append(main);
  if (detail) words.append(document.createElement('br'), detail);
  const close = document.createElement('button');
  close.type = 'button';
  close.setAttribute('aria-label', region.dataset.close ?? '');
  close.textContent = '×';
  close.addEventListener('click', () => line.remove());
  line.append(words, close);
  region.append(line);
  const end = () => (line.matches(':hover,:focus-within') ? setTimeout(end, 500) : line.remove());
  setTimeout(end, 4500);
}
