import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { adminLimits } from '../../../../api/sellers/schema.ts';
import { clean, cleanLine } from '../../../../api/shared/clean.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { ApiError } from '../../lib/api.ts';
import type { FieldErrors } from '../../lib/form.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea, TextInput } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import { counterOf } from '../forms/counter.ts';
import type { Seller, SellersScreen } from './sellers.ts';

/** Poll intervals for the delivery: often at first, then less. */
const [soonMs, laterMs, soonCount] = [1000, 5000, 15];

type Sent = { id: string; seller: Seller };

/**
 * Sends a message to a seller (product §2, §7 send-notification). It counts as sent once a channel
 * accepts it (product R25); a closed dialog reports the outcome by toast.
 */
export const NotifyDialog = guardDialog(function NotifyDialog({
  screen,
  seller,
  onClose,
}: {
  screen: SellersScreen;
  seller: Seller | null;
  onClose: () => void;
}) {
  const { language, t, common, api, signIn } = screen;
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [sent, setSent] = useState<Sent | null>(null);
  const [failed, setFailed] = useState<string>();
  const [errors, setErrors] = useState<FieldErrors>({});
  const here = sent !== null && sent.seller.id === seller?.id;

  // Only another seller clears the message: a failed one can be sent again.
  useEffect(() => {
    if (!seller) return;
    setSubject('');
    setMessage('');
    setFailed(undefined);
    setErrors({});
  }, [seller]);

  const send = useAction({
    signIn,
    call: (to: Seller) =>
      screen.send(
        api.admin.sellers[':id'].notify.$post({ param: { id: to.id }, json: { subject, message } }),
      ),
    // If only the answer was lost, a retry would send it twice.
    once: true,
    failure: (error, to) => ({
      title: t('notifyFailed'),
      description: `${isolate(to.name)}: ${messageOf(error)}`,
    }),
    onDone: ({ id }, to) => setSent({ id, seller: to }),
    onRefused: (error) => {
      if (error instanceof ApiError) setErrors(error.fields);
      setFailed(messageOf(error));
    },
  });
  const delivery = useQuery(
    {
      queryKey: ['notification', sent?.id],
      enabled: sent !== null,
      queryFn: () =>
        screen.send(api.admin.notifications[':id'].$get({ param: { id: sent?.id ?? '' } })),
      staleTime: 0,
      refetchInterval: ({ state }) => (state.dataUpdateCount < soonCount ? soonMs : laterMs),
    },
    queryClient(),
  );
  const state = delivery.data?.state;
  const reason = delivery.data?.lastError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one outcome of one message is told once.
  useEffect(() => {
    if (!sent || !state || state === 'waiting') return;
    setSent(null);
    if (state === 'sent') {
      setSubject('');
      setMessage('');
      toast.success(t('notifiedOk'), { description: sent.seller.name });
      if (here) onClose();
    } else {
      toast.error(t('notifyFailed'), {
        description: `${isolate(sent.seller.name)}: ${reason ?? ''}`,
      });
      if (here) setFailed(reason ?? t('notifyFailed'));
    }
  }, [sent, state]);

  const empty = subject.trim() === '' || message.trim() === '';
  const counter = (text: string, limit: number) =>
    counterOf(text, limit, language, (used, max) => t('characters', { used, max }));
  return (
    <Dialog
      open={seller !== null}
      title={t('notifyDialog.title', { name: seller?.name ?? '' })}
      closeLabel={common('close')}
      busy={send.isPending}
      error={failed && `${t('notifyFailed')}: ${failed}`}
      onClose={onClose}
      onSubmit={() => {
        if (!seller || empty || here) return;
        setFailed(undefined);
        setErrors({});
        send.mutate(seller);
      }}
      actions={
        <>
          <Button disabled={send.isPending} onClick={onClose}>
            {here ? common('close') : common('cancel')}
          </Button>
          {!here && (
            <Button type="submit" variant="primary" busy={send.isPending} disabled={empty}>
              {t('notifyDialog.submit')}
            </Button>
          )}
        </>
      }
    >
      <TextInput
        required
        label={t('notifyDialog.subject')}
        placeholder={t('notifyDialog.subjectPlaceholder')}
        maxLength={adminLimits.subject.max}
        counter={counter(cleanLine(subject), adminLimits.subject.max)}
        error={errors.subject}
        value={subject}
        readOnly={send.isPending || here}
        onChange={(event) => setSubject(event.target.value)}
      />
      <TextArea
        required
        label={t('notifyDialog.message')}
        hint={t('notifyDialog.channels')}
        placeholder={t('notifyDialog.messagePlaceholder', {
          language: t(`languages.${seller?.language ?? 'en'}`),
        })}
        maxLength={adminLimits.message.max}
        counter={counter(clean(message), adminLimits.message.max)}
        error={errors.message}
        value={message}
        readOnly={send.isPending || here}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div role="status">
        {here && (
          <Note tone="wait" title={t('delivery.waiting')} action={<Spinner />}>
            {reason ? t('delivery.retrying', { reason }) : t('delivery.waitingText')}
          </Note>
        )}
      </div>
    </Dialog>
  );
});
