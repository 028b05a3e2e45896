import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { beginFactor, confirmFactor } from '../../../../api/auth/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { type FieldErrors, judge } from '../../lib/form.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { why } from '../admin/desk.tsx';
import type { SettingsDesk } from './values.ts';
import type { SettingWords } from './words.ts';

type Props = { desk: SettingsDesk; words: SettingWords; open: boolean; onClose: () => void; onDone: (codes: readonly string[]) => unknown };

/** Turns the second factor on in two steps: the password, then a first code of the phone that has read the secret. */
export function FactorOnDialog({ desk, words, open, onClose, onDone }: Props) {
  const { t, d, api, client, lost, language } = desk;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const codeField = useRef<HTMLDivElement>(null);

  const begin = useMutation(
    {
      mutationFn: (json: { password: string }) => unwrap(api.admin['second-factor'].begin.$post({ json }), d('connection')),
      onSuccess: () => setPassword(''),
      onError: (error) => {
        lost(error);
      },
    },
    client,
  );
  const confirm = useMutation(
    {
      mutationFn: (json: { code: string }) => unwrap(api.admin['second-factor'].confirm.$post({ json }), d('connection')),
      onSuccess: ({ codes }) => {
        toast.success(t('factor.turnedOn'));
        return onDone(codes);
      },
      onError: (error) => {
        lost(error);
      },
    },
    client,
  );
  const { data: begun } = begin;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a closed dialog forgets everything, whatever the mutations are by then.
  useEffect(() => {
    if (open) return;
    setPassword('');
    setCode('');
    setErrors({});
    begin.reset();
    confirm.reset();
  }, [open]);
  useEffect(() => {
    if (begun) codeField.current?.querySelector('input')?.focus();
  }, [begun]);

  const submit = () => {
    if (begin.isError) begin.reset();
    confirm.reset();
    const judged = begun ? judge(confirmFactor, { code }, language, words.validation) : judge(beginFactor, { password }, language, words.validation);
    setErrors(judged.ok ? {} : judged.errors);
    if (!judged.ok) return;
    if ('code' in judged.value) confirm.mutate(judged.value);
    else begin.mutate(judged.value);
  };
  const busy = begin.isPending || confirm.isPending;
  const failed = begin.error ?? confirm.error;

  return (
    <Dialog
      open={open}
      large={begun !== undefined}
      title={t('factor.onTitle')}
      closeLabel={d('close')}
      busy={busy}
      error={failed && why(failed)}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {d('cancel')}
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
          <div ref={codeField}>
            <TextInput
              label={t('factor.code')}
              hint={t('factor.codeHint')}
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              error={errors.code}
              value={code}
              readOnly={busy}
              onChange={(event) => setCode(event.target.value)}
            />
          </div>
        </div>
      ) : (
        <TextInput
          label={t('factor.password')}
          type="password"
          required
          autoComplete="current-password"
          maxLength={200}
          error={errors.password}
          value={password}
          readOnly={busy}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
    </Dialog>
  );
}
