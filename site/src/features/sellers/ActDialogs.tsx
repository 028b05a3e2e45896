import { useEffect, useState } from 'react';
import { adminLimits } from '../../../../api/sellers/schema.ts';
import { clean, cleanLine } from '../../../../api/shared/clean.ts';
import { phoneText } from '../../../../api/shared/contact/readPhone.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { isRefused } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea, TextInput } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import { counterOf } from '../forms/counter.ts';
import {
  type Act,
  type Asking,
  request,
  type Seller,
  type SellersScreen,
  sentences,
  type Wanted,
} from './sellers.ts';

type Props = { screen: SellersScreen; asking: Asking | null; onClose: () => void };

const isTaken = isRefused('sellers.numberVerified');

/**
 * Dialogs for verifying, suspending and deleting a seller, with the consequences. Input stays when
 * the request fails.
 */
export const ActDialogs = guardDialog(function ActDialogs({ screen, asking, onClose }: Props) {
  const { t, common, send, signIn } = screen;
  const act = useAction({
    signIn,
    call: (wanted: Wanted) => send<object>(request(screen, wanted)),
    success: (_, { about, seller }) => ({
      title: t(sentences[about].done),
      description: seller.name,
    }),
    // A taken number is no failure: the dialog explains what moving it means.
    failure: (error, { about, seller }) =>
      !isTaken(error) && {
        title: t(sentences[about].failed),
        description: `${isolate(seller.name)}: ${messageOf(error)}`,
      },
    // Another admin was faster.
    isOutdated: isRefused('conflict', 'sellers.notFound'),
    close: onClose,
    invalidates: [['sellers']],
  });
  // Clears the last question's error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another question matters.
  useEffect(() => act.reset(), [asking]);

  const open = (about: Act) => asking?.about === about;
  const seller = asking?.seller;
  const name = seller?.name ?? '';
  const run = (about: Act, { reason = '', move = false } = {}) =>
    seller && act.mutate({ about, seller, reason, move });
  const busy = act.isPending;
  const error = act.error ? messageOf(act.error) : undefined;
  const shared = {
    busy,
    error,
    onClose,
    cancelLabel: common('cancel'),
    closeLabel: common('close'),
  };
  // Another seller has the number, and loses it if the admin confirms again.
  const taken = isTaken(act.error);
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
        consequence={t('verifyDialog.text', {
          number: seller?.whatsapp ? phoneText(seller.whatsapp) : t('noNumber'),
        })}
        confirmLabel={t(taken ? 'verifyDialog.move' : 'verifyDialog.submit')}
        onConfirm={() => run('verify', { move: taken })}
      />
      {simple('unverify', 'danger')}
      {simple('unsuspend', 'primary')}
      <SuspendDialog
        screen={screen}
        seller={open('suspend') ? asking?.seller : undefined}
        {...shared}
        onSuspend={(reason) => run('suspend', { reason })}
      />
      <DeleteDialog
        screen={screen}
        seller={open('delete') ? asking?.seller : undefined}
        {...shared}
        onDelete={() => run('delete')}
      />
    </>
  );
});

type Shared = {
  screen: SellersScreen;
  seller: Seller | undefined;
  busy: boolean;
  error: string | undefined;
  onClose: () => void;
  cancelLabel: string;
  closeLabel: string;
};

/** Requires a reason, which the seller reads (product §5). */
function SuspendDialog({
  screen: { t, language },
  seller,
  busy,
  error,
  onClose,
  cancelLabel,
  closeLabel,
  onSuspend,
}: Shared & { onSuspend: (reason: string) => void }) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another seller begins again.
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
        counter={counterOf(clean(reason), max, language, (used, most) =>
          t('characters', { used, max: most }),
        )}
        error={missing && !reason.trim() ? t('suspendDialog.reasonRequired') : undefined}
        value={reason}
        readOnly={busy}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}

const plainly = (name: string) => cleanLine(name).toLowerCase();

/** Requires the seller's name, since a deletion is final (product R20). */
function DeleteDialog({
  screen: { t },
  seller,
  busy,
  error,
  onClose,
  cancelLabel,
  closeLabel,
  onDelete,
}: Shared & { onDelete: () => void }) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another seller begins again.
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
        hint={<bdi>{name}</bdi>}
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
