import { useEffect, useState } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import { setClock } from '../slots/clock.ts';
import { type AssignedDuration, DurationChoice } from '../slots/DurationChoice.tsx';
import {
  isOutdated,
  type LaneName,
  type QueueScreen,
  refusal,
  type Waiting,
  whyRefused,
} from './queue.ts';

type Props = {
  item: Waiting | null;
  queueName: LaneName;
  screen: QueueScreen;
  onClose: () => void;
};

/**
 * Assigns a slot by hand: all empty slots, the first of the product's lane preselected
 * (product R4, R5).
 */
export const AssignSlotDialog = guardDialog(function AssignSlotDialog({
  item,
  queueName,
  screen,
  onClose,
}: Props) {
  const { language, t, common, api, send, signIn, refresh } = screen;
  const [choice, setChoice] = useState('');
  const [duration, setDuration] = useState<AssignedDuration>('manual');
  const read = useAdminRead(
    screen,
    ['slots'],
    async () => {
      const answer = await send(api.admin.slots.$get());
      setClock(answer.now);
      return answer.slots.map(({ id, premium, state }) => ({ id, premium, state }));
    },
    { enabled: item !== null, gcTime: 0 },
  );
  const free = read.data?.filter(({ state }) => state === 'empty') ?? [];
  const ofLane = free.find(({ premium }) => premium === (queueName === 'queue:featured'));
  const chosen = free.find(({ id }) => String(id) === choice) ?? ofLane;

  const assign = useAction({
    signIn,
    call: ({ productId, slotId }: { productId: string; slotId: number }, key) =>
      send(
        api.admin.queue[':id'].assign.$post({
          param: { id: productId },
          json: { slotId, duration },
          header: { 'idempotency-key': key },
        }),
      ),
    success: ({ slotId }) => ({
      title: t('assigned', { slot: slotNumber(slotId) }),
      ...(item ? { description: productName(item.product, screen) } : {}),
    }),
    isOutdated,
    close: onClose,
    onDone: refresh,
    failure: (error) => isOutdated(error) && refusal(error, t),
    onRefused: () => {
      refresh();
    },
  });
  const { reset } = assign;
  const about = item?.productId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product begins again.
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
      title={item && t('assignDialog.title', { name: productName(item.product, screen) })}
      closeLabel={common('close')}
      busy={assign.isPending}
      error={assign.error && !isOutdated(assign.error) && whyRefused(assign.error, t)}
      onClose={onClose}
      onSubmit={() =>
        item && chosen && assign.mutate({ productId: item.productId, slotId: chosen.id })
      }
      actions={
        <>
          <Button disabled={assign.isPending} onClick={onClose}>
            {common('cancel')}
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
        <ErrorState
          title={t('adminDataFailed')}
          retryLabel={common('retry')}
          busy={read.isFetching}
          onRetry={() => read.refetch()}
        >
          {messageOf(read.error)}
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
          <DurationChoice
            item={item}
            value={duration}
            onChoose={setDuration}
            t={t}
            language={language}
          />
        </>
      )}
    </Dialog>
  );
});
