import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { TextArea } from './Field.tsx';
import { guardDialog } from './guardDialog.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  /** The question, naming the thing: 'Remove "Blender" from stall #07?' */
  title: ReactNode;
  /** The effect, and if it can be undone. */
  consequence: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  closeLabel: string;
  tone?: 'danger' | 'primary';
  reason?: { label: string; hint?: string; missing: string; maxLength?: number };
  busy?: boolean;
  error?: ReactNode;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks before an act that is hard to undo; the safe button comes first and has the focus. */
export const ConfirmDialog = guardDialog(function ConfirmDialog({
  open,
  title,
  consequence,
  confirmLabel,
  cancelLabel,
  closeLabel,
  tone = 'danger',
  reason,
  busy = false,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);

  useEffect(() => {
    if (open) return;
    setText('');
    setMissing(false);
  }, [open]);

  return (
    <Dialog
      open={open}
      title={title}
      closeLabel={closeLabel}
      busy={busy}
      error={error}
      onClose={onClose}
      onSubmit={(event) => {
        if (reason && text.trim() === '') {
          setMissing(true);
          event.currentTarget.querySelector('textarea')?.focus();
          return;
        }
        onConfirm(text.trim());
      }}
      actions={
        <>
          <Button data-first={reason ? undefined : true} disabled={busy} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" variant={tone} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div>{consequence}</div>
      {children}
      {reason && (
        <TextArea
          required
          label={reason.label}
          hint={reason.hint}
          maxLength={reason.maxLength}
          error={missing && text.trim() === '' ? reason.missing : undefined}
          value={text}
          readOnly={busy}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Dialog>
  );
});
