import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { slotNumber } from '../../../../api/slots/rules.ts';
import { unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useRead, why } from '../admin/desk.tsx';
import { setClock } from '../slots/clock.ts';
import { type AssignedDuration, DurationChoice } from '../slots/DurationChoice.tsx';
import { isOutdated, type LaneName, nameOf, type QueueDesk, type Waiting, whyRefused } from './queue.ts';

type Props = {
  item: Waiting | null;
  queueName: LaneName;
  desk: QueueDesk;
  onClose: () => void;
  /** Says a refusal that leaves nothing to ask about, and reads the list again. */
  onRefused: (error: Error) => unknown;
};

/** Gives a waiting product a slot by hand: every inactive slot by id, the first one of its lane preselected (product R4, R5). */
export function AssignSlotDialog({ item, queueName, desk, onClose, onRefused }: Props) {
  const { language, t, d, api, lost, refresh } = desk;
  const [choice, setChoice] = useState('');
  const [duration, setDuration] = useState<AssignedDuration>('manual');
  const read = useRead(
    ['slots'],
    async () => {
      const answer = await unwrap(api.admin.slots.$get(), d('connection'));
      setClock(answer.now);
      return answer.slots.map(({ id, premium, state }) => ({ id, premium, state }));
    },
    { lost },
    { enabled: item !== null, gcTime: 0 },
  );
  const free = read.data?.filter(({ state }) => state === 'empty') ?? [];
  const ofLane = free.find(({ premium }) => premium === (queueName === 'queue:featured'));
  const chosen = free.find(({ id }) => String(id) === choice) ?? ofLane;

  const assign = useMutation(
    {
      mutationFn: ({ productId, slotId }: { productId: string; slotId: number }) =>
        unwrap(api.admin.queue[':id'].assign.$post({ param: { id: productId }, json: { slotId, duration } }), d('connection')),
      onSuccess: ({ slotId }) => {
        toast.success(t('assigned', { slot: slotNumber(slotId) }), item ? { description: nameOf(item.product, desk) } : {});
        onClose();
        return refresh();
      },
      onError: (error) => {
        if (lost(error)) return;
        if (isOutdated(error)) {
          onClose();
          onRefused(error);
        } else refresh();
      },
    },
    queryClient(),
  );
  const { reset } = assign;
  const about = item?.productId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product begins anew.
  useEffect(() => {
    setChoice('');
    setDuration('manual');
    reset();
  }, [about, reset]);

  const label = ({ id, premium }: (typeof free)[number]) =>
    t(id === item?.preferredSlot ? 'slotPreferred' : 'slotOption', {
      slot: slotNumber(id),
      placement: t(premium ? 'premiumPlacement' : 'standardPlacement'),
    });
  return (
    <Dialog
      open={item !== null}
      title={item && t('assignDialog.title', { name: nameOf(item.product, desk) })}
      closeLabel={d('close')}
      busy={assign.isPending}
      error={assign.error && !isOutdated(assign.error) && whyRefused(assign.error, t)}
      onClose={onClose}
      onSubmit={() => item && chosen && assign.mutate({ productId: item.productId, slotId: chosen.id })}
      actions={
        <>
          <Button disabled={assign.isPending} onClick={onClose}>
            {d('cancel')}
          </Button>
          {free.length > 0 && (
            <Button type="submit" variant="primary" busy={assign.isPending} disabled={!chosen}>
              {t('assignDialog.submit')}
            </Button>
          )}
        </>
      }
    >
      {read.isPending && <Skeleton shape="row" count={2} label={t('loading')} />}
      {read.error && !read.data && (
        <ErrorState title={t('adminDataFailed')} retryLabel={d('retry')} busy={read.isFetching} onRetry={() => read.refetch()}>
          {why(read.error)}
        </ErrorState>
      )}
      {read.data && free.length === 0 && <Note tone="bad">{t('noSlots')}</Note>}
      {item && free.length > 0 && (
        <>
          {!ofLane && <Note tone="wait">{t('noLaneSlot')}</Note>}
          <Select
            label={t('assignDialog.slot')}
            value={chosen ? String(chosen.id) : ''}
            disabled={assign.isPending}
            {...(ofLane ? {} : { placeholder: t('chooseSlot') })}
            options={free.map((slot) => ({ value: String(slot.id), label: label(slot) }))}
            onChange={(event) => setChoice(event.target.value)}
          />
          <DurationChoice item={item} value={duration} onChoose={setDuration} t={t} language={language} />
        </>
      )}
    </Dialog>
  );
}
