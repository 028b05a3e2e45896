import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiClient, unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { why } from '../admin/desk.tsx';
import { useClock } from './clock.ts';
import type { SlotAct } from './SlotCard.tsx';
import { callIt, figures, type Held, isOutdated, type Spoken, secondsLeft, span } from './slots.ts';

/** What the dialogs of a slot need from the desk around them. */
export type SlotDialogProps = Spoken & {
  api: ApiClient;
  d: (key: 'cancel' | 'close' | 'connection') => string;
  onClose: () => void;
  /** Closes, and reads the list again. */
  onDone: () => void;
  onLost: (error: unknown) => boolean;
};
type Confirmed = Extract<SlotAct, 'pause' | 'resume' | 'remove'>;

const said = {
  pause: { title: 'confirm.pauseTitle', ok: 'paused', failed: 'pauseFailed' },
  resume: { title: 'confirm.resumeTitle', ok: 'resumed', failed: 'resumeFailed' },
  remove: { title: 'confirm.removeTitle', ok: 'removed', failed: 'removeFailed' },
} as const;
const isConfirmed = (act: SlotAct | null): act is Confirmed => act !== null && act in said;

/** Asks before pause, resume and remove (product §2), with what follows; a removal can put the product back into its queue (product R2). */
export function SlotConfirm({ act, slot, language, t, api, d, onClose, onDone, onLost }: SlotDialogProps & { act: SlotAct | null; slot: Held | null }) {
  const [requeue, setRequeue] = useState(false);
  const asked = slot && isConfirmed(act) ? { act, slot } : null;
  const about = asked && `${asked.act} ${asked.slot.id}`;
  const left = useClock((now) => (slot ? secondsLeft(slot, now) : 0));
  const end = useClock((now) => Math.ceil((now + left * 1000) / 60_000)) * 60_000;

  const change = useMutation(
    {
      mutationFn: ({ act, slot }: { act: Confirmed; slot: Held }) => {
        const param = { slotId: String(slot.id) };
        const json = { productId: slot.product.id };
        const door = api.admin.slots[':slotId'];
        if (act === 'pause') return unwrap<unknown>(door.pause.$post({ param, json }), d('connection'));
        if (act === 'resume') return unwrap<unknown>(door.resume.$post({ param, json }), d('connection'));
        return unwrap<unknown>(door.remove.$post({ param, json: { ...json, requeue } }), d('connection'));
      },
      onSuccess: (_, { act, slot }) => {
        toast.success(t(said[act].ok, { slot: figures(slot.id) }), { description: callIt(slot.product, language, t('unnamed')) });
        onDone();
      },
      onError: (error, { act }) => {
        if (onLost(error) || !isOutdated(error)) return;
        toast.error(t(said[act].failed, { reason: why(error) }), { description: t('reread') });
        onDone();
      },
    },
    queryClient(),
  );
  const { reset } = change;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins anew.
  useEffect(() => {
    setRequeue(false);
    reset();
  }, [about, reset]);

  const name = slot ? callIt(slot.product, language, t('unnamed')) : '';
  const duration = span(left, t, 'span');
  const consequence = () => {
    if (asked?.act === 'pause') return t('confirm.pauseText', { name, duration });
    if (asked?.act === 'resume') return t('confirm.resumeText', { name, end: dateTime(end, language) });
    return requeue ? t('confirm.removeRequeueText') : t('confirm.removeText');
  };
  return (
    <ConfirmDialog
      open={asked !== null}
      tone={asked?.act === 'remove' ? 'danger' : 'primary'}
      title={asked && t(said[asked.act].title, { slot: figures(asked.slot.id), name })}
      consequence={<p>{consequence()}</p>}
      confirmLabel={asked ? t(asked.act) : ''}
      cancelLabel={d('cancel')}
      closeLabel={d('close')}
      busy={change.isPending}
      error={change.error && asked && !isOutdated(change.error) && t(said[asked.act].failed, { reason: why(change.error) })}
      onConfirm={() => asked && change.mutate(asked)}
      onClose={onClose}
    >
      {asked?.act === 'remove' && left > 0 && (
        <Checkbox
          label={t('confirm.requeue', { duration })}
          checked={requeue}
          disabled={change.isPending}
          onChange={(event) => setRequeue(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
