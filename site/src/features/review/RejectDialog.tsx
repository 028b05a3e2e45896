import { useEffect, useRef, useState } from 'react';
import { quickReasons } from '../../../../api/products/rules.ts';
import { limits } from '../../../../api/products/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import type { ReviewScreen } from './pending.ts';

type Props = {
  screen: ReviewScreen;
  /** Identifies the question; null while closed. */
  about: string | null;
  title: string;
  text: string;
  busy: boolean;
  error: string | undefined;
  onClose: () => void;
  onReject: (reason: string) => void;
};

/** Asks for the reason that the seller will read. Input stays when the request fails. */
export const RejectDialog = guardDialog(function RejectDialog({
  screen: { t, common },
  about,
  title,
  text,
  busy,
  error,
  onClose,
  onReject,
}: Props) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (about === null) return;
    setReason('');
    setMissing(false);
  }, [about]);

  return (
    <Dialog
      open={about !== null}
      title={title}
      closeLabel={common('close')}
      busy={busy}
      error={error}
      onClose={onClose}
      onSubmit={() => {
        if (reason.trim()) return onReject(reason.trim());
        setMissing(true);
        form.current?.querySelector('textarea')?.focus();
      }}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant="danger" busy={busy}>
            {t('reject')}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <fieldset className="reasons" disabled={busy}>
        <legend className="soft small">{t('quickReasons.label')}</legend>
        {quickReasons.map((known) => (
          <Button key={known} compact onClick={() => setReason(t(`quickReasons.${known}`))}>
            {t(`quickReasons.${known}`)}
          </Button>
        ))}
      </fieldset>
      <div ref={form}>
        <TextArea
          autoFocus
          required
          label={t('reason')}
          placeholder={t('reasonPlaceholder')}
          maxLength={limits.reason.max}
          error={missing && !reason.trim() ? t('reasonRequired') : undefined}
          value={reason}
          readOnly={busy}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </Dialog>
  );
});
