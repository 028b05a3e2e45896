import { useEffect, useRef, useState } from 'react';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { number } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import {
  type AdminScreenProps,
  messageOf,
  useAdminRead,
  useAdminScreen,
  useLiveUpdates,
} from '../admin/screen.ts';
import { AssignProductDialog } from './AssignProductDialog.tsx';
import { serverNow, setClock, useClock } from './clock.ts';
import { EditSlotDialog } from './EditSlotDialog.tsx';
import { type SlotAct, SlotCard } from './SlotCard.tsx';
import { SlotConfirm } from './SlotConfirm.tsx';
import { type Held, isHeld, type Slot, stateAt } from './slots.ts';
import './slots.css';
import type { SlotsWords } from './words.ts';

export type SlotManagementProps = AdminScreenProps<SlotsWords> & {
  validation: Dictionaries['validation'];
  /** Path of a slot's public page, without the number. */
  shop: string;
};
const shownStates = ['all', 'live', 'paused', 'expired', 'empty'] as const;
type Shown = (typeof shownStates)[number];
const labels = {
  all: 'all',
  live: 'stateActive',
  paused: 'statePaused',
  expired: 'stateExpired',
  empty: 'stateEmpty',
} as const;
/** Reload interval for views and taps, which are not announced. */
const engagementMs = 60_000;

type Asked = { act: SlotAct; slot: Slot } | null;

/** Management of the slots (product §2 /admin/slots). */
export default function SlotManagement({ validation, shop, ...props }: SlotManagementProps) {
  const screen = useAdminScreen(props);
  const { language, t, common, api, send, invalidate } = screen;
  const [asked, setAsked] = useState<Asked>(null);
  const [shown, setShown] = useState<Shown>('all');
  const read = useAdminRead(
    screen,
    ['slots'],
    async () => {
      const answer = await send(api.admin.slots.$get());
      setClock(answer.now);
      return answer;
    },
    { refetchInterval: engagementMs },
  );
  const refresh = () => invalidate('slots');
  useLiveUpdates(['slot', 'product', 'seller'], refresh);
  const { data, error, isPending, isFetching } = read;
  const slots = data?.slots ?? [];
  // Counts also change when a listing expires: render again whenever any slot's state changes.
  useClock((now) => slots.map((slot) => stateAt(slot, now)[0]).join(''));
  const counts = count(slots);

  // Follow the list while the product is the same; for another one the server refuses the action.
  const current =
    asked &&
    slots.find(({ id, product }) => id === asked.slot.id && product?.id === asked.slot.product?.id);
  const subject = asked ? (current ?? asked.slot) : null;
  const keptFocus = useKeptFocus(data);
  const close = () => setAsked(null);
  const done = () => {
    keptFocus.current = asked?.slot.id;
    close();
    return refresh();
  };
  const over = { screen, onClose: close, onDone: done };
  const held = (act: SlotAct): Held | null =>
    subject && asked?.act === act && isHeld(subject) ? subject : null;
  const group = (title: string, all: readonly Slot[]) => (
    <Group
      key={title}
      {...{ title, all, shown, language, t }}
      href={(id) => `${shop}${id}`}
      onAct={(act, slot) => setAsked({ act, slot })}
    />
  );

  if (isPending)
    return (
      <div className="stack">
        <p className="soft" role="status">
          {t('loading')}
        </p>
        <div className="slots slots--waiting">
          <Skeleton shape="row" count={9} />
        </div>
      </div>
    );
  if (!data)
    return (
      <ErrorState
        title={t('error', { reason: error ? messageOf(error) : '' })}
        retryLabel={common('retry')}
        busy={isFetching}
        onRetry={() => read.refetch()}
      >
        {t('adminDataFailed')}
      </ErrorState>
    );
  return (
    <div className="stack slotscreen">
      <div className="slotscreen__head">
        <div className="figure">
          <span className="figure__label">{t('active')}</span>
          <span className="figure__value" data-figure="active">
            {number(counts.live, language)}
            <small>/{number(slots.length, language)}</small>
          </span>
        </div>
        <div className="figure">
          <span className="figure__label">{t('featuredActive')}</span>
          <span className="figure__value" data-figure="featured">
            {number(counts.featured, language)}
          </span>
        </div>
        <Button busy={isFetching} onClick={refresh}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      {error && (
        <Note tone="bad" title={t('adminDataFailed')}>
          {t('error', { reason: messageOf(error) })}
        </Note>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that stay pressed, not fields of a form */}
      <div className="filters" role="group" aria-label={t('filter')}>
        {shownStates.map((state) => (
          <button
            key={state}
            type="button"
            className="filters__one"
            aria-pressed={shown === state}
            onClick={() => setShown(state)}
          >
            {t(labels[state])} <b>{number(counts[state], language)}</b>
          </button>
        ))}
      </div>
      {group(
        t('premium'),
        slots.filter(({ premium }) => premium),
      )}
      {group(
        t('standard'),
        slots.filter(({ premium }) => !premium),
      )}
      <EditSlotDialog slot={held('edit')} validation={validation} {...over} />
      <SlotConfirm
        act={asked?.act ?? null}
        slot={held('pause') ?? held('resume') ?? held('remove')}
        {...over}
      />
      <AssignProductDialog slot={asked?.act === 'assign' ? subject : null} {...over} />
    </div>
  );
}

/** Premium or standard slots with their active count (product R6), filtered. */
function Group({
  title,
  all,
  shown,
  language,
  t,
  href,
  onAct,
}: {
  title: string;
  all: readonly Slot[];
  shown: Shown;
  href: (slotId: number) => string;
  onAct: (act: SlotAct, slot: Slot) => void;
} & Pick<Parameters<typeof SlotCard>[0], 'language' | 't'>) {
  const now = serverNow();
  const list = shown === 'all' ? all : all.filter((slot) => stateAt(slot, now) === shown);
  const active = all.filter((slot) => stateAt(slot, now) === 'live').length;
  return (
    <section className="stack" aria-label={title}>
      <div className="row row--apart">
        <h2>{title}</h2>
        <p className="soft small">{t('groupCount', { active, total: all.length })}</p>
      </div>
      {list.length === 0 ? (
        <p className="soft">{t('noneShown')}</p>
      ) : (
        <ul className="slots">
          {list.map((slot) => (
            <SlotCard
              key={slot.id}
              slot={slot}
              language={language}
              t={t}
              href={href}
              onAct={onAct}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Number of slots per state; paused or expired ones are not active (product R3, R7). */
function count(slots: readonly Slot[]): Record<Shown | 'featured', number> {
  const now = serverNow();
  const states = slots.map((slot) => stateAt(slot, now));
  const of = (wanted: Slot['state']) => states.filter((state) => state === wanted).length;
  return {
    all: slots.length,
    live: of('live'),
    paused: of('paused'),
    expired: of('expired'),
    empty: of('empty'),
    featured: slots.filter((slot, order) => slot.isFeatured && states[order] === 'live').length,
  };
}

/**
 * Moves the focus to the slot's next button when a dialog's opener is gone, as in a slot now empty.
 * Otherwise the keyboard would start at the top of the page.
 */
function useKeptFocus(data: unknown) {
  const slotId = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the new list is there.
  useEffect(() => {
    if (slotId.current !== undefined && document.activeElement === document.body)
      document
        .getElementById(`slot-${slotId.current}`)
        ?.querySelector<HTMLElement>('button')
        ?.focus({ preventScroll: true });
    slotId.current = undefined;
  }, [data]);
  return slotId;
}
