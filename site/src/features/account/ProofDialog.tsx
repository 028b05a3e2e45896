import { type ReactNode, useEffect } from 'react';
import { proof } from '../../../../api/account/schema.ts';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { PasswordField } from '../accounts/fields.tsx';
import { useForm } from '../forms/useForm.ts';
import type { AccountScreen } from './screen.ts';

type Props = {
  screen: AccountScreen;
  open: boolean;
  title: string;
  consequence: ReactNode;
  confirm: string;
  tone?: ButtonProps['variant'];
  /** Performs the action, with the password if the account has one. */
  act: (proof: { password?: string | undefined }) => Promise<unknown>;
  onClose: () => void;
};

/**
 * Re-authentication before a sensitive action: the password, or without one a sign-in of the last
 * minutes. Otherwise leads to sign-in and back.
 */
export const ProofDialog = guardDialog(function ProofDialog({
  screen,
  open,
  title,
  consequence,
  confirm,
  tone = 'primary',
  act,
  onClose,
}: Props) {
  const { t, account, language, words, signIn } = screen;
  const form = useForm({
    language,
    validation: words.validation,
    schema: proof,
    send: (given) => act(account.hasPassword ? given : {}),
  });
  const again =
    !account.hasPassword && (!account.fresh || form.refused?.code === 'account.signInAgain');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said goes with the closed dialog.
  useEffect(() => {
    if (!open) form.clear();
  }, [open]);

  return (
    <Dialog
      open={open}
      title={title}
      closeLabel={t('proof.close')}
      busy={form.busy}
      error={again ? undefined : form.refused?.message}
      onClose={onClose}
      formRef={form.ref}
      onSubmit={form.props.onSubmit}
      actions={
        <>
          <Button disabled={form.busy} onClick={onClose}>
            {t('proof.cancel')}
          </Button>
          {again ? (
            <Button type="submit" variant="primary" form="sign-in-again">
              {t('proof.signInAgain')}
            </Button>
          ) : (
            <Button type="submit" variant={tone} busy={form.busy}>
              {confirm}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {consequence}
        {again && <Note tone="wait">{t('proof.again')}</Note>}
        {account.hasPassword && (
          <PasswordField
            {...form.field('password')}
            label={t('proof.password')}
            autoComplete="current-password"
          />
        )}
      </div>
      {again && <input type="hidden" name="returnTo" value={signIn} form="sign-in-again" />}
    </Dialog>
  );
});
