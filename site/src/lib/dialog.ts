export {};

type Modal = {
  dialog: HTMLElement;
  ground: HTMLElement;
  opener: Element | null;
  /** Elements that were hidden from screen readers for it. */
  hidden: Element[];
};
const modals: Modal[] = [];

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** Hides all but the dialog and what it stands in from screen readers. */
function hideAround(dialog: Element): Element[] {
  const hidden: Element[] = [];
  for (
    let inner = dialog;
    inner !== document.body && inner.parentElement;
    inner = inner.parentElement
  )
    for (const other of inner.parentElement.children)
      if (other !== inner && !other.hasAttribute('aria-hidden')) {
        other.setAttribute('aria-hidden', 'true');
        hidden.push(other);
      }
  return hidden;
}

const stopsOf = (dialog: HTMLElement): HTMLElement[] =>
  [...dialog.querySelectorAll<HTMLElement>(focusable)].filter((stop) => stop.offsetParent);

const enter = (dialog: HTMLElement) => (stopsOf(dialog)[0] ?? dialog).focus();

/** Tab at either end goes on at the other. */
function wrap(event: KeyboardEvent, dialog: HTMLElement): void {
  const stops = stopsOf(dialog);
  const [first, last] = [stops[0], stops[stops.length - 1]];
  if (document.activeElement !== (event.shiftKey ? first : last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

function showModal(this: HTMLElement): void {
  if (this.hasAttribute('open')) return;
  const opener = document.activeElement;
  const ground = document.createElement('div');
  ground.style.cssText = `position:fixed;top:0;right:0;bottom:0;left:0;z-index:${90 + modals.length};background:rgba(6,8,32,.62)`;
  // A native backdrop is part of the dialog: its presses arrive there.
  for (const type of ['mousedown', 'click'])
    ground.addEventListener(type, () =>
      this.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true })),
    );
  this.before(ground);
  this.setAttribute('open', '');
  this.setAttribute('role', 'dialog');
  this.setAttribute('aria-modal', 'true');
  this.tabIndex = -1;
  this.style.cssText = `position:fixed;z-index:${91 + modals.length};top:50%;left:50%;right:auto;bottom:auto;margin:0;transform:translate(-50%,-50%);animation:none`;
  modals.push({ dialog: this, ground, opener, hidden: hideAround(this) });
  enter(this);
}

function close(this: HTMLElement): void {
  const place = modals.findIndex(({ dialog }) => dialog === this);
  const [modal] = place < 0 ? [] : modals.splice(place, 1);
  if (!modal) return;
  this.removeAttribute('open');
  this.removeAttribute('style');
  modal.ground.remove();
  for (const other of modal.hidden) other.removeAttribute('aria-hidden');
  (modal.opener as HTMLElement | null)?.focus();
  setTimeout(() => this.dispatchEvent(new Event('close')));
}

/**
 * `showModal()` and `close()` for browsers without `<dialog>` (Safari 14, Firefox 78): a ground of
 * its own, the focus kept inside, Escape, the rest hidden from screen readers.
 */
Object.defineProperties(HTMLElement.prototype, {
  showModal: { value: showModal },
  close: { value: close },
});

document.addEventListener(
  'keydown',
  (event) => {
    const [modal] = modals.slice(-1);
    if (!modal) return;
    if (event.key === 'Tab') wrap(event, modal.dialog);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (modal.dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
      close.call(modal.dialog);
  },
  true,
);
document.addEventListener('focusin', ({ target }) => {
  const [modal] = modals.slice(-1);
  if (modal && !modal.dialog.contains(target as Node)) enter(modal.dialog);
});
