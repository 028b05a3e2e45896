import { type ReactNode, useEffect } from 'react';
import { proof } from '../../../../api/account/schema.ts';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { PasswordField } from '../accounts/fields.tsx';
import { useForm } from '../forms/useForm.ts';
import type { AccountScreen } from './screen.ts';

type FrameProps = {
  screen: AccountScreen;
  open: boolean;
  title: string;
  consequence: ReactNode;
  confirm: string;
  tone?: ButtonProps['variant'];
  onClose: () => void;
};
type ProofForm = Pick<
  ReturnType<typeof useForm>,
  'busy' | 'clear' | 'field' | 'props' | 'ref' | 'refused'
>;

/**
 * Asks for the password, or without one for a sign-in of the last minutes; otherwise leads to sign-in
 * and back. The fields `above` and `below` wait for that.
 */
export function ProofFrame({
  screen: { t, account, signIn },
  form,
  open,
  title,
  consequence,
  confirm,
  tone = 'primary',
  above,
  below,
  onClose,
}: FrameProps & { form: ProofForm; above?: ReactNode; below?: ReactNode }) {
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
        {!again && above}
        {account.hasPassword && (
          <PasswordField
            {...form.field('password')}
            label={t('proof.password')}
            autoComplete="current-password"
          />
        )}
        {!again && below}
      </div>
      {again && <input type="hidden" name="returnTo" value={signIn} form="sign-in-again" />}
    </Dialog>
  );
}

/** Re-authenticates before a sensitive action, which gets the password if the account has one. */
export const ProofDialog = guardDialog(function ProofDialog({
  act,
  ...frame
}: FrameProps & { act: (proof: { password?: string | undefined }) => Promise<unknown> }) {
  const { language, words } = frame.screen;
  const form = useForm({ language, validation: words.validation, schema: proof, send: act });
  return <ProofFrame form={form} {...frame} />;
});
