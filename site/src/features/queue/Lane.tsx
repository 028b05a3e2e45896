import { useEffect, useRef, useState } from 'react';
import { usualHoursPerPlace } from '../../../../api/listings/rules.ts';
import { number } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useAction } from '../actions/useAction.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { productName } from '../admin/productName.ts';
import { messageOf } from '../admin/screen.ts';
import { AssignSlotDialog } from './AssignSlotDialog.tsx';
import { QueueItem } from './QueueItem.tsx';
import {
  type Direction,
  isOutdated,
  type LaneName,
  lastSaid,
  type QueueScreen,
  refusal,
  type Waiting,
  whyRefused,
} from './queue.ts';
import { useRestore } from './restore.ts';

const moved = { up: 'movedUp', down: 'movedDown', top: 'movedTop' } as const;
/** Time to read and undo a removal. */
const undoMs = 10_000;

/** Paginated lane with all actions (product §8 Queue). */
export function Lane({
  queueName,
  label,
  screen,
}: {
  queueName: LaneName;
  label: string;
  screen: QueueScreen;
}) {
  const { language, t, common, api, send, signIn, refresh } = screen;
  const [asked, setAsked] = useState<{ about: 'assign' | 'remove'; item: Waiting } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const lane = useAdminList(screen, {
    key: ['queue', 'lane', queueName],
    load: (query) => send(api.admin.queue.$get({ query: { queueName, ...query } })),
    filter: {},
  });
  const { data, error } = lane.read;
  const kept = useKeptFocus(data, list);
  const restore = useRestore(screen);

  const move = useAction({
    signIn,
    call: ({ item, direction }: { item: Waiting; direction: Direction }) => {
      // Names the visible neighbour, so that two admins with the same move make it once.
      const past = direction === 'up' ? item.ahead : direction === 'down' ? item.behind : null;
      return send(
        api.admin.queue[':id'].move.$post({
          param: { id: item.productId },
          json: { direction, ...(past ? { past } : {}) },
        }),
      );
    },
    success: ({ synced }, { item, direction }) => ({
      title: t(synced ? 'synced' : moved[direction]),
      tone: synced ? 'warning' : 'success',
      id: lastSaid,
      description: productName(item.product, screen),
    }),
    failure: (error) => refusal(error, t),
    onDone: (_, { item, direction }) => {
      kept.current = { productId: item.productId, act: direction };
      refresh();
      // The next move depends on the visible order: wait for this lane, but nothing else.
      return queryClient().invalidateQueries(
        { queryKey: ['queue', 'lane', queueName] },
        { cancelRefetch: false },
      );
    },
    onRefused: refresh,
  });
  const remove = useAction({
    signIn,
    call: (item: Waiting) =>
      send(api.admin.queue[':id'].remove.$post({ param: { id: item.productId } })),
    success: ({ wasQueued }, item) => ({
      title: t(wasQueued ? 'removed' : 'deletedOnly'),
      description: productName(item.product, screen),
      duration: undoMs,
      action: { label: t('undo'), onClick: () => restore.mutate(item.productId) },
    }),
    failure: (error) => isOutdated(error) && refusal(error, t),
    isOutdated,
    close: () => setAsked(null),
    onDone: (_, item) => {
      kept.current = { productId: item.productId, act: 'remove' };
      return refresh();
    },
    onRefused: (error) => (isOutdated(error) ? refresh() : undefined),
  });
  const rebuild = useAction({
    signIn,
    call: () => send(api.admin.queue.rebuild.$post({ json: { queueName } })),
    success: ({ count }) => t('rebuilt', { count }),
    failure: (error) => t('actionFailed', { reason: whyRefused(error, t) }),
    onDone: refresh,
  });
  const ask = (about: 'assign' | 'remove') => (item: Waiting) => {
    remove.reset();
    setAsked({ about, item });
  };
  const shown = (about: 'assign' | 'remove') => (asked?.about === about ? asked.item : null);
  const name = asked ? productName(asked.item.product, screen) : '';

  return (
    <div className="stack">
      <AdminList
        screen={screen}
        list={lane}
        loading={t('loading')}
        failed={t('fetchFailed', { reason: error ? messageOf(error) : '' })}
        empty={{ title: t('empty'), text: t('emptyText') }}
      >
        {({ items }) => (
          <>
            <div className="row row--apart">
              <p className="soft small">
                {t('perPlace', { hours: number(usualHoursPerPlace[queueName], language) })}
              </p>
              <Button compact busy={rebuild.isPending} onClick={() => rebuild.mutate()}>
                {t('rebuild')}
              </Button>
            </div>
            <ol
              className="queue"
              ref={list}
              tabIndex={-1}
              aria-label={label}
              aria-busy={move.isPending || undefined}
            >
              {items.map((item) => (
                <QueueItem
                  key={item.productId}
                  item={item}
                  language={language}
                  t={t}
                  busy={
                    move.isPending
                      ? move.variables.item.productId === item.productId
                        ? move.variables.direction
                        : 'other'
                      : null
                  }
                  onMove={(direction) => move.mutate({ item, direction })}
                  onAssign={() => ask('assign')(item)}
                  onRemove={() => ask('remove')(item)}
                />
              ))}
            </ol>
          </>
        )}
      </AdminList>
      <AssignSlotDialog
        item={shown('assign')}
        screen={screen}
        queueName={queueName}
        onClose={() => setAsked(null)}
      />
      <ConfirmDialog
        open={shown('remove') !== null}
        title={t('removeDialog.title', { name })}
        consequence={<p>{t('removeDialog.text')}</p>}
        confirmLabel={t('removeDialog.submit')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={remove.isPending}
        error={
          remove.error &&
          !isOutdated(remove.error) &&
          t('actionFailed', { reason: whyRefused(remove.error, t) })
        }
        onConfirm={() => asked && remove.mutate(asked.item)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}

/** Restores the focus lost by a move or removal: to the product's same button, else to the list. */
function useKeptFocus(data: unknown, list: { current: HTMLElement | null }) {
  const wanted = useRef<{ productId: string; act: string } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the new list is there.
  useEffect(() => {
    if (wanted.current && document.activeElement === document.body) {
      const { productId, act } = wanted.current;
      const button = list.current?.querySelector<HTMLElement>(
        `[data-product="${productId}"] [data-act="${act}"]`,
      );
      (button ?? list.current)?.focus({ preventScroll: button === null });
    }
    wanted.current = undefined;
  }, [data]);
  return wanted;
}
