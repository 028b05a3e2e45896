import { useEffect, useState } from 'react';
import { limits } from '../../../../api/reports/schema.ts';
import { clean } from '../../../../api/shared/clean.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { counterOf } from '../forms/counter.ts';
import type { ReportsScreen } from './reports.ts';

type Props = {
  screen: ReportsScreen;
  /** Identifies the question; null while closed. */
  about: string | null;
  title: string;
  text: string;
  label: string;
  /** Suggested note. */
  initial: string;
  submit: string;
  danger: boolean;
  busy: boolean;
  error: string | undefined;
  onClose: () => void;
  onSubmit: (note: string) => void;
};

/** Asks for the note kept with closed reports. Input stays when the request fails. */
export const NoteDialog = guardDialog(function NoteDialog({
  screen: { t, common, language },
  about,
  title,
  text,
  label,
  initial,
  submit,
  danger,
  busy,
  error,
  onClose,
  onSubmit,
}: Props) {
  const [note, setNote] = useState(initial);
  const [missing, setMissing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins again, and nothing else.
  useEffect(() => {
    setNote(initial);
    setMissing(false);
  }, [about]);
  const { max } = limits.note;
  return (
    <Dialog
      open={about !== null}
      title={title}
      closeLabel={common('close')}
      busy={busy}
      error={error}
      onClose={onClose}
      onSubmit={(event) => {
        if (note.trim()) return onSubmit(note.trim());
        setMissing(true);
        event.currentTarget.querySelector('textarea')?.focus();
      }}
      actions={
        <>
          <Button data-first disabled={busy} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <TextArea
        required
        label={label}
        maxLength={max}
        counter={counterOf(clean(note), max, language, (used, most) =>
          t('characters', { used, max: most }),
        )}
        error={missing && !note.trim() ? t('noteRequired') : undefined}
        value={note}
        readOnly={busy}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  );
});
