const leaveAfterMs = 10_000;

/**
 * Leads from an address without a product to /404 (product R11), unless the visitor presses the
 * button to stay (WCAG 2.2.1). Without a script the page stays.
 */
export function leaveSoon(): void {
  const notice = document.querySelector<HTMLElement>('[data-leave-to]');
  const status = notice?.querySelector('[role=status]');
  const stay = notice?.querySelector('button');
  if (!notice || !status || !stay) return;
  const { leaveTo = '', leaving = '' } = notice.dataset;
  notice.hidden = false;
  // Filled once it is visible: screen readers announce changes of a status only.
  requestAnimationFrame(() => {
    status.textContent = leaving;
  });
  // Replaces this entry, or Back would only return here.
  const timer = setTimeout(() => location.replace(leaveTo), leaveAfterMs);
  stay.addEventListener('click', () => {
    clearTimeout(timer);
    notice.remove();
  });
}
