import { useEffect } from 'react';
import { endFactor } from '../../../../api/auth/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { CodeField } from '../accounts/CodeField.tsx';
import { PasswordField } from '../accounts/fields.tsx';
import { useAction } from '../actions/useAction.ts';
import { useForm } from '../forms/useForm.ts';
import type { SettingsScreen } from './values.ts';
import type { SettingWords } from './words.ts';

type Props = {
  screen: SettingsScreen;
  words: SettingWords;
  open: boolean;
  onClose: () => void;
  onDone: () => unknown;
};

/** Turns the second factor off, with password and code. */
export const FactorOffDialog = guardDialog(function FactorOffDialog({
  screen,
  words,
  open,
  onClose,
  onDone,
}: Props) {
  const { t, common, api, send, signIn, language } = screen;
  const end = useAction({
    signIn,
    call: (json: { password: string; code: string }) =>
      send(api.admin['second-factor'].end.$post({ json })),
    success: () => t('factor.turnedOff'),
    onDone,
  });
  const form = useForm({
    language,
    validation: words.validation,
    schema: endFactor,
    send: (json) => end.mutateAsync(json),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes with the closed dialog, and what was said about it.
  useEffect(() => {
    if (!open) form.clear();
  }, [open]);

  return (
    <Dialog
      open={open}
      title={t('factor.offTitle')}
      closeLabel={common('close')}
      busy={form.busy}
      error={form.refused?.message}
      onClose={onClose}
      formRef={form.ref}
      onSubmit={form.props.onSubmit}
      actions={
        <>
          <Button disabled={form.busy} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant="danger" busy={form.busy}>
            {t('factor.turnOff')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('factor.offText')}</p>
        <PasswordField
          {...form.field('password')}
          label={t('factor.password')}
          autoComplete="current-password"
        />
        <CodeField
          {...form.field('code')}
          label={t('factor.code')}
          hint={t('factor.offCodeHint')}
        />
      </div>
    </Dialog>
  );
});
