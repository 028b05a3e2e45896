import { useEffect } from 'react';
import type * as z from 'zod/mini';
import { beginFactor, confirmFactor } from '../../../../api/auth/schema.ts';
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
  onDone: (codes: readonly string[]) => unknown;
};

/**
 * Turns the second factor on: first the password, then a code from the phone that scanned the
 * secret.
 */
export const FactorOnDialog = guardDialog(function FactorOnDialog({
  screen,
  words,
  open,
  onClose,
  onDone,
}: Props) {
  const { t, common, api, send, signIn, language } = screen;
  const begin = useAction({
    signIn,
    call: (json: { password: string }) => send(api.admin['second-factor'].begin.$post({ json })),
  });
  const confirm = useAction({
    signIn,
    call: (json: { code: string }) => send(api.admin['second-factor'].confirm.$post({ json })),
    success: () => t('factor.turnedOn'),
    onDone: ({ codes }) => onDone(codes),
  });
  const { data: begun } = begin;
  const schema: z.ZodMiniType<unknown, { password?: string; code?: string }> = begun
    ? confirmFactor
    : beginFactor;
  const form = useForm({
    language,
    validation: words.validation,
    schema,
    send: ({ password = '', code = '' }) =>
      begun ? confirm.mutateAsync({ code }) : begin.mutateAsync({ password }),
  });
  const { busy } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes with the closed dialog, and everything that was answered.
  useEffect(() => {
    if (open) return;
    begin.reset();
    form.clear();
  }, [open]);

  return (
    <Dialog
      open={open}
      large={begun !== undefined}
      title={t('factor.onTitle')}
      closeLabel={common('close')}
      busy={busy}
      error={form.refused?.message}
      onClose={onClose}
      formRef={form.ref}
      onSubmit={form.props.onSubmit}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {begun ? t('factor.turnOn') : t('factor.continue')}
          </Button>
        </>
      }
    >
      {begun ? (
        <div className="stack">
          <p>{t('factor.scan')}</p>
          <svg
            className="factor__picture"
            role="img"
            aria-label={t('factor.picture')}
            viewBox={`0 0 ${begun.picture.size} ${begun.picture.size}`}
            shapeRendering="crispEdges"
          >
            <path d={begun.picture.path} fill="currentColor" />
          </svg>
          <p>
            <span className="soft">{t('factor.secret')}</span>
            <code className="factor__secret">{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
          <CodeField
            {...form.field('code')}
            label={t('factor.code')}
            hint={t('factor.codeHint')}
            inputMode="numeric"
            maxLength={12}
          />
        </div>
      ) : (
        <PasswordField
          {...form.field('password')}
          label={t('factor.password')}
          autoComplete="current-password"
        />
      )}
    </Dialog>
  );
});
