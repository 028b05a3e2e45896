import { useEffect } from 'react';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import type { Seller, SellersScreen } from './sellers.ts';

/** Makes a code that links a chat to a seller's account, to be read out on the phone. */
export const ChatCodeDialog = guardDialog(function ChatCodeDialog({
  screen: { t, common, api, send, signIn, language },
  seller,
  onClose,
}: {
  screen: SellersScreen;
  seller: Seller | null;
  onClose: () => void;
}) {
  const make = useAction({
    signIn,
    call: ({ id }: Seller) => send(api.admin.sellers[':id']['chat-code'].$post({ param: { id } })),
    failure: (error) => ({ title: t('chatCodeFailed'), description: messageOf(error) }),
  });
  // A code of the seller before is not shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another seller matters.
  useEffect(() => make.reset(), [seller]);
  const made = make.data;
  return (
    <Dialog
      open={seller !== null}
      title={t('chatCodeDialog.title', { name: seller?.name ?? '' })}
      closeLabel={common('close')}
      busy={make.isPending}
      error={make.error ? messageOf(make.error) : undefined}
      onClose={onClose}
      onSubmit={() => seller && !made && make.mutate(seller)}
      actions={
        <>
          <Button disabled={make.isPending} onClick={onClose}>
            {made ? common('close') : common('cancel')}
          </Button>
          {!made && (
            <Button type="submit" variant="primary" busy={make.isPending}>
              {t('chatCodeDialog.submit')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('chatCodeDialog.text')}</p>
      <div role="status">
        {made && (
          <Note tone="good" title={made.code}>
            {t('chatCodeDialog.codeText', {
              code: made.code,
              time: dateTime(made.expiresAt, language, 'time'),
            })}
          </Note>
        )}
      </div>
    </Dialog>
  );
});
