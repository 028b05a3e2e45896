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
import { useScrolls } from './useScrolls.ts';
import './dialog.css';

export type DialogProps = {
  open: boolean;
  title: ReactNode;
  /** Called for Escape, the backdrop and the close button, never while `busy`. */
  onClose: () => void;
  closeLabel: string;
  busy?: boolean;
  /** Shown in the dialog, which keeps all input. */
  error?: ReactNode;
  actions?: ReactNode;
  /** Makes the dialog a form; the actions need a button of type `submit`. */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  formRef?: Ref<HTMLFormElement>;
  large?: boolean;
  children: ReactNode;
};

/** A native modal dialog; the browser traps the focus and returns it to the opener. */
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
  // What scrolls must be focusable, or the keyboard cannot scroll it.
  const [heading, headingScrolls] = useScrolls<HTMLHeadingElement>(open);
  const [body, bodyScrolls] = useScrolls<HTMLDivElement>(open);

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.hasAttribute('open')) {
      element.showModal();
      // The browser would focus the close button; prefer the first input, or the element marked
      // `data-first`.
      element
        .querySelector<HTMLElement>('[data-first], .dialog__body :is(input, select, textarea)')
        ?.focus();
    }
    if (!open && element.hasAttribute('open')) element.close();
  }, [open]);

  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    if (!busy) onClose();
  };
  // Browsers let a second Escape through even if `cancel` is prevented: reopen, or report the
  // close. The event comes late: by then the dialog may show the next question.
  const closed = (event: SyntheticEvent) => {
    if (event.target !== dialog.current || !open || dialog.current?.hasAttribute('open')) return;
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
        <h2 id={titleId} ref={heading} {...(headingScrolls ? { tabIndex: 0 } : {})}>
          {title}
        </h2>
        <Button variant="bare" square aria-label={closeLabel} disabled={busy} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div
        className="dialog__body"
        ref={body}
        {...(bodyScrolls ? { tabIndex: 0, role: 'group', 'aria-labelledby': titleId } : {})}
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
              // React events bubble to the opener's tree: this form must not submit another.
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
