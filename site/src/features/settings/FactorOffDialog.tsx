import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { endFactor } from '../../../../api/auth/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { type FieldErrors, judge } from '../../lib/form.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { why } from '../admin/desk.tsx';
import type { SettingsDesk } from './values.ts';
import type { SettingWords } from './words.ts';

type Props = { desk: SettingsDesk; words: SettingWords; open: boolean; onClose: () => void; onDone: () => unknown };

/** Turns the second factor off, by password and code. */
export function FactorOffDialog({ desk, words, open, onClose, onDone }: Props) {
  const { t, d, api, client, lost, language } = desk;
  const [given, setGiven] = useState({ password: '', code: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const end = useMutation(
    {
      mutationFn: (json: { password: string; code: string }) => unwrap(api.admin['second-factor'].end.$post({ json }), d('connection')),
      onSuccess: () => {
        toast.success(t('factor.turnedOff'));
        return onDone();
      },
      onError: (error) => {
        lost(error);
      },
    },
    client,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a closed dialog forgets everything, whatever the mutation is by then.
  useEffect(() => {
    if (open) return;
    setGiven({ password: '', code: '' });
    setErrors({});
    end.reset();
  }, [open]);

  const submit = () => {
    end.reset();
    const judged = judge(endFactor, given, language, words.validation);
    setErrors(judged.ok ? {} : judged.errors);
    if (judged.ok) end.mutate(judged.value);
  };

  return (
    <Dialog
      open={open}
      title={t('factor.offTitle')}
      closeLabel={d('close')}
      busy={end.isPending}
      error={end.error && why(end.error)}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={end.isPending} onClick={onClose}>
            {d('cancel')}
          </Button>
          <Button type="submit" variant="danger" busy={end.isPending}>
            {t('factor.turnOff')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('factor.offText')}</p>
        <TextInput
          label={t('factor.password')}
          type="password"
          required
          autoComplete="current-password"
          maxLength={200}
          error={errors.password}
          value={given.password}
          readOnly={end.isPending}
          onChange={(event) => setGiven({ ...given, password: event.target.value })}
        />
        <TextInput
          label={t('factor.code')}
          hint={t('factor.offCodeHint')}
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          error={errors.code}
          value={given.code}
          readOnly={end.isPending}
          onChange={(event) => setGiven({ ...given, code: event.target.value })}
        />
      </div>
    </Dialog>
  );
}
