import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { adminLimits } from '../../../../api/sellers/schema.ts';
import { ApiError, unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea, TextInput } from '../../ui/Field.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { why } from '../admin/desk.tsx';
import { type Act, type Asking, request, type Seller, type SellersDesk, sentences, type Wish } from './sellers.ts';

type Props = { desk: SellersDesk; asking: Asking | null; onClose: () => void; onDone: () => void };

/** The questions before a seller is verified, suspended or deleted, each with its consequence. A failed request says so and keeps what was typed. */
export function ActDialogs({ desk, asking, onClose, onDone }: Props) {
  const { t, d, client, lost } = desk;
  const act = useMutation(
    {
      mutationFn: (wish: Wish) => unwrap<object>(request(desk, wish), d('connection')),
      onSuccess: (_, { about, seller }) => {
        toast.success(t(sentences[about].done), { description: seller.name });
        onClose();
        onDone();
      },
      onError: (error, { about, seller }) => {
        // Not a failure but a question: the dialog says what it would cost.
        if (error instanceof ApiError && error.code === 'sellers.numberVerified') return;
        toast.error(t(sentences[about].failed), { description: `${seller.name}: ${why(error)}` });
        if (lost(error) || !(error instanceof ApiError)) return;
        // Another admin was faster: what the dialog asks about is no longer so.
        if (error.code === 'conflict' || error.code === 'sellers.notFound') {
          onClose();
          onDone();
        }
      },
    },
    client,
  );
  // A new question knows nothing of the last one's failure.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another question matters.
  useEffect(() => act.reset(), [asking]);

  const open = (about: Act) => asking?.about === about;
  const seller = asking?.seller;
  const name = seller?.name ?? '';
  const run = (about: Act, { reason = '', move = false } = {}) => seller && act.mutate({ about, seller, reason, move });
  const busy = act.isPending;
  const error = act.error ? why(act.error) : undefined;
  const shared = { busy, error, onClose, cancelLabel: d('cancel'), closeLabel: d('close') };
  // The number is another seller's; that one loses it when the admin says so once more.
  const taken = act.error instanceof ApiError && act.error.code === 'sellers.numberVerified';
  const simple = (about: 'unverify' | 'unsuspend', tone: 'primary' | 'danger') => (
    <ConfirmDialog
      {...shared}
      open={open(about)}
      tone={tone}
      title={t(`${about}Dialog.title`, { name })}
      consequence={t(`${about}Dialog.text`)}
      confirmLabel={t(`${about}Dialog.submit`)}
      onConfirm={() => run(about)}
    />
  );
  return (
    <>
      <ConfirmDialog
        {...shared}
        open={open('verify')}
        tone={taken ? 'danger' : 'primary'}
        title={t(taken ? 'verifyDialog.moveTitle' : 'verifyDialog.title', { name })}
        consequence={t('verifyDialog.text', { number: seller?.whatsapp ?? t('noNumber') })}
        confirmLabel={t(taken ? 'verifyDialog.move' : 'verifyDialog.submit')}
        onConfirm={() => run('verify', { move: taken })}
      />
      {simple('unverify', 'danger')}
      {simple('unsuspend', 'primary')}
      <SuspendDialog desk={desk} seller={open('suspend') ? asking?.seller : undefined} {...shared} onSuspend={(reason) => run('suspend', { reason })} />
      <DeleteDialog desk={desk} seller={open('delete') ? asking?.seller : undefined} {...shared} onDelete={() => run('delete')} />
    </>
  );
}

type Shared = {
  desk: SellersDesk;
  seller: Seller | undefined;
  busy: boolean;
  error: string | undefined;
  onClose: () => void;
  cancelLabel: string;
  closeLabel: string;
};

/** A suspension needs a reason, which the seller reads (product §5). */
function SuspendDialog({ desk: { t }, seller, busy, error, onClose, cancelLabel, closeLabel, onSuspend }: Shared & { onSuspend: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another seller begins anew.
  useEffect(() => {
    setReason('');
    setMissing(false);
  }, [seller]);
  const { max } = adminLimits.reason;
  return (
    <Dialog
      open={seller !== undefined}
      title={t('suspendDialog.title', { name: seller?.name ?? '' })}
      closeLabel={closeLabel}
      busy={busy}
      error={error}
      onClose={onClose}
      onSubmit={(event) => {
        if (reason.trim()) return onSuspend(reason.trim());
        setMissing(true);
        event.currentTarget.querySelector('textarea')?.focus();
      }}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" variant="danger" busy={busy}>
            {t('suspendDialog.submit')}
          </Button>
        </>
      }
    >
      <p>{t('suspendDialog.text')}</p>
      <TextArea
        required
        label={t('suspendDialog.reason')}
        placeholder={t('suspendDialog.reasonPlaceholder')}
        maxLength={max}
        counter={{ used: reason.length, limit: max, label: t('characters', { used: reason.length, max }) }}
        error={missing && !reason.trim() ? t('suspendDialog.reasonRequired') : undefined}
        value={reason}
        readOnly={busy}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}

const plainly = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase();

/** A deletion cannot be undone (product R20): the seller's name is typed first. */
function DeleteDialog({ desk: { t }, seller, busy, error, onClose, cancelLabel, closeLabel, onDelete }: Shared & { onDelete: () => void }) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another seller begins anew.
  useEffect(() => {
    setTyped('');
    setWrong(false);
  }, [seller]);
  const name = seller?.name ?? '';
  const matches = plainly(typed) === plainly(name);
  return (
    <Dialog
      open={seller !== undefined}
      title={t('deleteDialog.title', { name })}
      closeLabel={closeLabel}
      busy={busy}
      error={error}
      onClose={onClose}
      onSubmit={(event) => {
        if (matches) return onDelete();
        setWrong(true);
        event.currentTarget.querySelector('input')?.focus();
      }}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" variant="danger" busy={busy}>
            {t('deleteDialog.submit')}
          </Button>
        </>
      }
    >
      <p>{t('deleteDialog.text', { count: seller?.products.total ?? 0 })}</p>
      <TextInput
        required
        label={t('deleteDialog.typeName')}
        hint={name}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={wrong && !matches ? t('deleteMatch', { name }) : undefined}
        value={typed}
        readOnly={busy}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Dialog>
  );
}
