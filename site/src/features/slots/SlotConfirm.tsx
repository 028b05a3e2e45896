import { useEffect, useState } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { dateTime } from '../../lib/format.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf } from '../admin/screen.ts';
import { useClock } from './clock.ts';
import type { SlotAct } from './SlotCard.tsx';
import { type Held, isOutdated, type SlotsScreen, secondsLeft, span } from './slots.ts';

/** Props of the slot dialogs. */
export type SlotDialogProps = {
  screen: SlotsScreen;
  onClose: () => void;
  /** Closes the dialog and reloads the list. */
  onDone: () => void;
};
type Confirmed = Extract<SlotAct, 'pause' | 'resume' | 'remove'>;

const said = {
  pause: { title: 'confirm.pauseTitle', ok: 'paused', failed: 'pauseFailed' },
  resume: { title: 'confirm.resumeTitle', ok: 'resumed', failed: 'resumeFailed' },
  remove: { title: 'confirm.removeTitle', ok: 'removed', failed: 'removeFailed' },
} as const;
const isConfirmed = (act: SlotAct | null): act is Confirmed => act !== null && act in said;

/**
 * Confirms pause, resume and remove (product §2); a removal can requeue the product (product R2).
 */
export function SlotConfirm({
  act,
  slot,
  screen,
  onClose,
  onDone,
}: SlotDialogProps & { act: SlotAct | null; slot: Held | null }) {
  const { language, t, common, api, send, signIn } = screen;
  const [requeue, setRequeue] = useState(false);
  const asked = slot && isConfirmed(act) ? { act, slot } : null;
  const about = asked && `${asked.act} ${asked.slot.id}`;
  const left = useClock((now) => (slot ? secondsLeft(slot, now) : 0));
  const end = useClock((now) => Math.ceil((now + left * 1000) / 60_000)) * 60_000;

  const change = useAction({
    signIn,
    call: ({ act, slot }: { act: Confirmed; slot: Held }) => {
      const param = { slotId: String(slot.id) };
      const json = { productId: slot.product.id };
      const actions = api.admin.slots[':slotId'];
      if (act === 'pause') return send<unknown>(actions.pause.$post({ param, json }));
      if (act === 'resume') return send<unknown>(actions.resume.$post({ param, json }));
      return send<unknown>(actions.remove.$post({ param, json: { ...json, requeue } }));
    },
    success: (_, { act, slot }) => ({
      title: t(said[act].ok, { slot: slotNumber(slot.id) }),
      description: productName(slot.product, screen),
    }),
    failure: (error, { act }) =>
      isOutdated(error) && {
        title: t(said[act].failed, { reason: messageOf(error) }),
        description: t('reread'),
      },
    isOutdated,
    close: onDone,
  });
  const { reset } = change;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins again.
  useEffect(() => {
    setRequeue(false);
    reset();
  }, [about, reset]);

  const name = slot ? productName(slot.product, screen) : '';
  const duration = span(left, t, 'span');
  const consequence = () => {
    if (asked?.act === 'pause') return t('confirm.pauseText', { name, duration });
    if (asked?.act === 'resume')
      return t('confirm.resumeText', { name, end: dateTime(end, language) });
    return requeue ? t('confirm.removeRequeueText') : t('confirm.removeText');
  };
  return (
    <ConfirmDialog
      open={asked !== null}
      tone={asked?.act === 'remove' ? 'danger' : 'primary'}
      title={asked && t(said[asked.act].title, { slot: slotNumber(asked.slot.id), name })}
      consequence={<p>{consequence()}</p>}
      confirmLabel={asked ? t(asked.act) : ''}
      cancelLabel={common('cancel')}
      closeLabel={common('close')}
      busy={change.isPending}
      error={
        change.error &&
        asked &&
        !isOutdated(change.error) &&
        t(said[asked.act].failed, { reason: messageOf(change.error) })
      }
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
