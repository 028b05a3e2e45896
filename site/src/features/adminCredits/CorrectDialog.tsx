import { correction } from '../../../../api/credits/schema.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { isRefused } from '../../lib/api.ts';
import { TextArea, TextInput } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import { FormDialog } from '../admin/FormDialog.tsx';
import { messageOf } from '../admin/screen.ts';
import { type CreditsScreen, readWhole, signed } from './credits.ts';

/** `seen`: number of entries shown, so that the API detects a newer one. */
export type Correcting = { userId: string; name: string; balance: number; seen: number };
type Props = {
  screen: CreditsScreen;
  validation: Dictionaries['validation'];
  correcting: Correcting | null;
  onClose: () => void;
  /** Receives the number of the corrected ledger. */
  onOpened: (number: number) => void;
};

/** The ledger has a newer entry, or the account is gone. */
const isOutdated = isRefused('conflict', 'notFound');

/** Corrects a balance by an entry with a reason, which the member can read (product R36). */
export function CorrectDialog({ screen, validation, correcting, onClose, onOpened }: Props) {
  const { t, api, send, signIn, language } = screen;
  const correct = useAction({
    signIn,
    call: (
      json: { userId: string; amount: number; reason: string; seen?: number | undefined },
      key,
    ) => send(api.admin.credits.corrections.$post({ header: { 'idempotency-key': key }, json })),
    success: ({ balance }, { amount }) => ({
      title: t('corrected'),
      description: `${signed(amount, language)} → ${t('balanceOf', { count: balance })}`,
    }),
    failure: (error) => ({ title: t('correctFailed'), description: messageOf(error) }),
    isOutdated,
    close: onClose,
    invalidates: [['creditLedger'], ['creditMembers']],
    onDone: ({ number }) => onOpened(number),
  });
  const { userId = '', name = '', balance = 0, seen = 0 } = correcting ?? {};
  return (
    <FormDialog
      screen={screen}
      validation={validation}
      open={correcting !== null}
      title={t('correctTitle', { name })}
      text={t('correctText', { balance: t('balanceOf', { count: balance }) })}
      submit={t('correct')}
      schema={correction}
      read={({ amount = '', reason = '' }) => ({
        userId,
        seen,
        amount: readWhole(amount) as number,
        reason,
      })}
      send={(values) => correct.mutateAsync(values)}
      isOutdated={isOutdated}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            required
            label={t('amount')}
            hint={t('amountHint')}
            maxLength={12}
            autoComplete="off"
            {...field('amount')}
          />
          <TextArea
            required
            label={t('reason')}
            hint={t('correctReasonHint')}
            maxLength={300}
            {...field('reason')}
          />
        </>
      )}
    </FormDialog>
  );
}
