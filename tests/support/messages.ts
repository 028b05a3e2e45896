export type Watched = { messages: { most: number; theme: string | undefined; lasted: number[] } };

/**
 * Records how many toasts show at once, their theme and durations in milliseconds. Runs in the
 * page.
 */
export function watchMessages(): void {
  const since = new Map<Element, number>();
  const messages: Watched['messages'] = { most: 0, theme: undefined, lasted: [] };
  Object.assign(globalThis, { messages });
  new MutationObserver(() => {
    for (const [message, at] of since) {
      if (message.isConnected) continue;
      messages.lasted.push(performance.now() - at);
      since.delete(message);
    }
    for (const message of document.querySelectorAll('[data-sonner-toast]'))
      if (!since.has(message)) since.set(message, performance.now());
    messages.most = Math.max(messages.most, since.size);
    if (since.size > 0)
      messages.theme =
        document.querySelector<HTMLElement>('[data-sonner-toaster]')?.dataset.sonnerTheme;
  }).observe(document, { childList: true, subtree: true });
}
