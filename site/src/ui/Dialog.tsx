import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  type SubmitEvent,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from 'react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { Note } from './Note.tsx';
import './dialog.css';

export type DialogProps = {
  open: boolean;
  title: ReactNode;
  /** Asked for by Escape, the backdrop and the cross; never while `busy`. */
  onClose: () => void;
  closeLabel: string;
  /** A request is under way: the dialog cannot be closed. */
  busy?: boolean;
  /** Why the request failed. The dialog stays, with everything that was typed. */
  error?: ReactNode;
  /** The buttons. */
  actions?: ReactNode;
  /** With it the whole dialog is a form; the actions need a button of type `submit`. */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  formRef?: Ref<HTMLFormElement>;
  large?: boolean;
  children: ReactNode;
};

/** A native modal dialog: the browser keeps the focus inside and gives it back to where it came from. */
export function Dialog({
  open,
  title,
  onClose,
  closeLabel,
  busy = false,
  error,
  actions,
  onSubmit,
  formRef,
  large,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      // The browser would choose the cross: the first thing to fill in is better, or what the dialog marks as safe.
      element
        .querySelector<HTMLElement>('[data-first], .dialog__body :is(input, select, textarea)')
        ?.focus();
    }
    if (!open && element.open) element.close();
  }, [open]);

  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    if (!busy) onClose();
  };
  // Browsers let a second Escape through whatever `cancel` says: then the dialog opens again or tells its owner.
  const closed = (event: SyntheticEvent) => {
    if (event.target !== dialog.current || !open) return;
    if (busy) dialog.current?.showModal();
    else onClose();
  };
  const press = (event: MouseEvent) => {
    pressedBackdrop.current = event.target === dialog.current;
  };
  const release = (event: MouseEvent) => {
    if (pressedBackdrop.current && event.target === dialog.current && !busy) onClose();
    pressedBackdrop.current = false;
  };

  const inside = (
    <>
      <header className="dialog__head">
        <h2 id={titleId}>{title}</h2>
        <Button variant="bare" square aria-label={closeLabel} disabled={busy} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      {/* What scrolls must be reached by the keyboard, also where nothing in it can be pressed. */}
      <div
        className="dialog__body"
        {...(large ? { tabIndex: 0, role: 'group', 'aria-labelledby': titleId } : {})}
      >
        {children}
      </div>
      <div role="alert">
        {error && (
          <div className="dialog__error">
            <Note tone="bad">{error}</Note>
          </div>
        )}
      </div>
      {actions && <footer className="dialog__foot">{actions}</footer>}
    </>
  );

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the keyboard's way
    <dialog
      ref={dialog}
      className={large ? 'dialog dialog--large' : 'dialog'}
      aria-labelledby={titleId}
      aria-busy={busy || undefined}
      onCancel={cancel}
      onClose={closed}
      onMouseDown={press}
      onClick={release}
    >
      {open &&
        (onSubmit ? (
          <form
            ref={formRef}
            className="dialog__sheet"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              // A dialog stands inside the tree of its opener: its form must not submit another one.
              event.stopPropagation();
              if (!busy) onSubmit(event);
            }}
          >
            {inside}
          </form>
        ) : (
          <div className="dialog__sheet">{inside}</div>
        ))}
    </dialog>
  );
}
