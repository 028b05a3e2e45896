import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useRead, why } from '../admin/desk.tsx';
import { type AssignedDuration, DurationChoice } from './DurationChoice.tsx';
import type { SlotDialogProps } from './SlotConfirm.tsx';
import { callIt, figures, type Slot, whyNotAssigned } from './slots.ts';

const slotGone = new Set(['slots.taken', 'slots.notFound']);

/** Puts a waiting product into an empty slot: the next of the slot's lane, unless another one is chosen (product R4, R5). */
export function AssignProductDialog({ slot, language, t, api, d, onClose, onDone, onLost }: SlotDialogProps & { slot: Slot | null }) {
  const [product, setProduct] = useState('');
  const [duration, setDuration] = useState<AssignedDuration>('manual');
  const own = slot?.premium ? 'queue:featured' : 'queue:regular';
  const lane = (queueName: 'queue:featured' | 'queue:regular') => unwrap(api.admin.queue.$get({ query: { queueName } }), d('connection'));
  const read = useRead(['waiting'], () => Promise.all([lane('queue:featured'), lane('queue:regular')]), { lost: onLost }, { enabled: slot !== null });
  const lanes = [...(read.data ?? [])].sort((a, b) => Number(b.queueName === own) - Number(a.queueName === own));
  const waiting = lanes.flatMap(({ items, queueName }) => items.map((item) => ({ ...item, queueName })));
  const chosen = waiting.find(({ productId }) => productId === product) ?? waiting.find(({ seller }) => !seller.suspended);

  const assign = useMutation(
    {
      mutationFn: (wish: { slotId: number; productId: string; name: string }) =>
        unwrap(
          api.admin.slots[':slotId'].assign.$post({ param: { slotId: String(wish.slotId) }, json: { productId: wish.productId, duration } }),
          d('connection'),
        ),
      onSuccess: ({ slotId }, { name }) => {
        toast.success(t('assigned', { slot: figures(slotId) }), { description: name });
        onDone();
      },
      onError: (error) => {
        if (onLost(error)) return;
        if (error instanceof ApiError && slotGone.has(error.code)) {
          toast.error(why(error), { description: t('reread') });
          onDone();
        } else read.refetch();
      },
    },
    queryClient(),
  );
  const { reset } = assign;
  const about = slot?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another slot begins anew.
  useEffect(() => {
    setProduct('');
    setDuration('manual');
    reset();
  }, [about, reset]);

  const label = ({ position, product, queueName, seller }: (typeof waiting)[number]) =>
    t(seller.suspended ? 'assignDialog.suspended' : 'assignDialog.waiting', {
      position,
      name: callIt(product, language, t('unnamed')),
      lane: t(queueName === 'queue:featured' ? 'lanes.featured' : 'lanes.regular'),
    });
  const left = lanes.find(({ total, items }) => total > items.length);
  const ready = slot !== null && chosen !== undefined;
  return (
    <Dialog
      open={slot !== null}
      title={slot && t('assignDialog.title', { slot: figures(slot.id) })}
      closeLabel={d('close')}
      busy={assign.isPending}
      error={assign.error && whyNotAssigned(assign.error, t)}
      onClose={onClose}
      onSubmit={() => ready && assign.mutate({ slotId: slot.id, productId: chosen.productId, name: callIt(chosen.product, language, t('unnamed')) })}
      actions={
        <>
          <Button disabled={assign.isPending} onClick={onClose}>
            {d('cancel')}
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
        <ErrorState title={t('adminDataFailed')} retryLabel={t('retry')} busy={read.isFetching} onRetry={() => read.refetch()}>
          {why(read.error)}
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
            options={waiting.map((item) => ({ value: item.productId, label: label(item), disabled: item.seller.suspended }))}
            onChange={(event) => setProduct(event.target.value)}
          />
          <DurationChoice item={chosen} value={duration} onChoose={setDuration} t={t} language={language} />
        </>
      )}
    </Dialog>
  );
}
