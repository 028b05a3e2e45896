import { useEffect, useState } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { isRefused } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Field.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import { type AssignedDuration, DurationChoice } from './DurationChoice.tsx';
import type { SlotDialogProps } from './SlotConfirm.tsx';
import { type Slot, whyNotAssigned } from './slots.ts';

const isSlotGone = isRefused('slots.taken', 'slots.notFound');

/**
 * Assigns a waiting product to an empty slot; preselects the next of the slot's lane
 * (product R4, R5).
 */
export const AssignProductDialog = guardDialog(function AssignProductDialog({
  slot,
  screen,
  onClose,
  onDone,
}: SlotDialogProps & { slot: Slot | null }) {
  const { language, t, common, api, send, signIn } = screen;
  const [product, setProduct] = useState('');
  const [duration, setDuration] = useState<AssignedDuration>('manual');
  const own = slot?.premium ? 'queue:featured' : 'queue:regular';
  const lane = (queueName: 'queue:featured' | 'queue:regular') =>
    send(api.admin.queue.$get({ query: { queueName } }));
  const read = useAdminRead(
    screen,
    ['waiting'],
    () => Promise.all([lane('queue:featured'), lane('queue:regular')]),
    { enabled: slot !== null },
  );
  const lanes = [...(read.data ?? [])].sort(
    (a, b) => Number(b.queueName === own) - Number(a.queueName === own),
  );
  const waiting = lanes.flatMap(({ items, queueName }) =>
    items.map((item) => ({ ...item, queueName })),
  );
  const chosen =
    waiting.find(({ productId }) => productId === product) ??
    waiting.find(({ seller }) => !seller.suspended);

  const assign = useAction({
    signIn,
    call: ({ slotId, productId }: { slotId: number; productId: string; name: string }, key) =>
      send(
        api.admin.slots[':slotId'].assign.$post({
          param: { slotId: String(slotId) },
          json: { productId, duration },
          header: { 'idempotency-key': key },
        }),
      ),
    success: ({ slotId }, { name }) => ({
      title: t('assigned', { slot: slotNumber(slotId) }),
      description: name,
    }),
    failure: (error) => isSlotGone(error) && { title: messageOf(error), description: t('reread') },
    isOutdated: isSlotGone,
    close: onDone,
    onRefused: (error) => {
      if (!isSlotGone(error)) read.refetch();
    },
  });
  const { reset } = assign;
  const about = slot?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another slot begins again.
  useEffect(() => {
    setProduct('');
    setDuration('manual');
    reset();
  }, [about, reset]);

  const label = ({ position, product, queueName, seller }: (typeof waiting)[number]) =>
    t(seller.suspended ? 'assignDialog.suspended' : 'assignDialog.waiting', {
      position,
      name: productName(product, screen),
      lane: t(queueName === 'queue:featured' ? 'lanes.featured' : 'lanes.regular'),
    });
  const left = lanes.find(({ total, items }) => total > items.length);
  const ready = slot !== null && chosen !== undefined;
  return (
    <Dialog
      open={slot !== null}
      title={slot && t('assignDialog.title', { slot: slotNumber(slot.id) })}
      closeLabel={common('close')}
      busy={assign.isPending}
      error={assign.error && whyNotAssigned(assign.error, t)}
      onClose={onClose}
      onSubmit={() =>
        ready &&
        assign.mutate({
          slotId: slot.id,
          productId: chosen.productId,
          name: productName(chosen.product, screen),
        })
      }
      actions={
        <>
          <Button disabled={assign.isPending} onClick={onClose}>
            {common('cancel')}
          </Button>
          {ready && (
            <Button type="submit" variant="primary" busy={assign.isPending}>
              {t('assigning.submit')}
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
      {read.data && !chosen && (
        <EmptyState title={t('assignDialog.none')} icon="queue">
          {t('assignDialog.noneText')}
        </EmptyState>
      )}
      {ready && (
        <>
          <Select
            label={t('assignDialog.product')}
            hint={left && t('assignDialog.more', { count: left.items.length })}
            value={chosen.productId}
            disabled={assign.isPending}
            options={waiting.map((item) => ({
              value: item.productId,
              label: label(item),
              disabled: item.seller.suspended,
            }))}
            onChange={(event) => setProduct(event.target.value)}
          />
          <DurationChoice
            item={chosen}
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
