import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usualHoursPerPlace } from '../../../../api/queue/rules.ts';
import { unwrap } from '../../lib/api.ts';
import { number } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { ReadState, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import { AssignSlotDialog } from './AssignSlotDialog.tsx';
import { QueueItem } from './QueueItem.tsx';
import { type Direction, isOutdated, type LaneName, nameOf, type QueueDesk, type Waiting, whyRefused } from './queue.ts';
import { useRestore } from './restore.ts';

const moved = { up: 'movedUp', down: 'movedDown', top: 'movedTop' } as const;
/** One message for a row of moves: the last one counts, and a phone has room for no more. */
const lastSaid = 'queue';
/** Long enough to read what was removed and to take it back. */
const undoMs = 10_000;

/** One lane, a page at a time: every action on its products, and what is said about it (product §8 Queue). */
export function Lane({ queueName, label, desk }: { queueName: LaneName; label: string; desk: QueueDesk }) {
  const { language, t, d, api, lost, refresh } = desk;
  const client = queryClient();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<{ about: 'assign' | 'remove'; item: Waiting } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const read = useRead(
    ['queue', 'lane', queueName, page],
    () => unwrap(api.admin.queue.$get({ query: { queueName, page: String(page) } }), d('connection')),
    { lost },
    { placeholderData: keepPreviousData },
  );
  const { data, error } = read;
  const kept = useKeptFocus(data, list);
  const restore = useRestore(desk);
  const spoken = { language, t };

  /** Says what was refused; the list is read again, since somebody else may have changed it. */
  const refused = (failure: Error) => {
    if (lost(failure)) return undefined;
    toast.error(whyRefused(failure, t), { id: lastSaid, description: t('reread') });
    return refresh();
  };
  const move = useMutation(
    {
      mutationFn: ({ item, direction }: { item: Waiting; direction: Direction }) => {
        // Past the neighbour that is on the screen and no other: two admins who do the same move it once.
        const past = direction === 'up' ? item.ahead : direction === 'down' ? item.behind : null;
        return unwrap(api.admin.queue[':id'].move.$post({ param: { id: item.productId }, json: { direction, ...(past ? { past } : {}) } }), d('connection'));
      },
      onSuccess: ({ synced }, { item, direction }) => {
        const description = nameOf(item.product, spoken);
        if (synced) toast.warning(t('synced'), { id: lastSaid, description });
        else toast.success(t(moved[direction]), { id: lastSaid, description });
        kept.current = { productId: item.productId, act: direction };
        refresh();
        // The next move counts on what is on the screen: it waits for this lane and for nothing else.
        return client.invalidateQueries({ queryKey: ['queue', 'lane', queueName] }, { cancelRefetch: false });
      },
      onError: refused,
    },
    client,
  );
  const remove = useMutation(
    {
      mutationFn: (item: Waiting) => unwrap(api.admin.queue[':id'].remove.$post({ param: { id: item.productId } }), d('connection')),
      onSuccess: ({ wasQueued }, item) => {
        toast.success(t(wasQueued ? 'removed' : 'deletedOnly'), {
          description: nameOf(item.product, spoken),
          duration: undoMs,
          action: { label: t('undo'), onClick: () => restore.mutate(item.productId) },
        });
        kept.current = { productId: item.productId, act: 'remove' };
        setAsked(null);
        return refresh();
      },
      onError: (failure) => {
        if (!isOutdated(failure)) return lost(failure);
        setAsked(null);
        return refused(failure);
      },
    },
    client,
  );
  const rebuild = useMutation(
    {
      mutationFn: () => unwrap(api.admin.queue.rebuild.$post({ json: { queueName } }), d('connection')),
      onSuccess: ({ count }) => {
        toast.success(t('rebuilt', { count }));
        return refresh();
      },
      onError: (failure) => {
        if (!lost(failure)) toast.error(t('actionFailed', { reason: whyRefused(failure, t) }));
      },
    },
    client,
  );
  const ask = (about: 'assign' | 'remove') => (item: Waiting) => {
    remove.reset();
    setAsked({ about, item });
  };
  const shown = (about: 'assign' | 'remove') => (asked?.about === about ? asked.item : null);
  const name = asked ? nameOf(asked.item.product, spoken) : '';

  return (
    <div className="stack">
      <ReadState
        read={read}
        loading={t('loading')}
        failed={t('fetchFailed', { reason: error ? why(error) : '' })}
        retry={d('retry')}
        empty={{ when: ({ total }) => total === 0, title: t('empty'), text: t('emptyText') }}
      >
        {({ items }) => (
          <>
            <div className="row row--apart">
              <p className="soft small">{t('perPlace', { hours: number(usualHoursPerPlace[queueName], language) })}</p>
              <Button compact busy={rebuild.isPending} onClick={() => rebuild.mutate()}>
                {t('rebuild')}
              </Button>
            </div>
            <ol className="queue" ref={list} tabIndex={-1} aria-label={label} aria-busy={move.isPending || undefined}>
              {items.map((item) => (
                <QueueItem
                  key={item.productId}
                  item={item}
                  language={language}
                  t={t}
                  busy={move.isPending ? (move.variables.item.productId === item.productId ? move.variables.direction : 'other') : null}
                  onMove={(direction) => move.mutate({ item, direction })}
                  onAssign={() => ask('assign')(item)}
                  onRemove={() => ask('remove')(item)}
                />
              ))}
            </ol>
          </>
        )}
      </ReadState>
      <ListPages read={read} page={page} onPage={setPage} t={d} />
      <AssignSlotDialog item={shown('assign')} desk={desk} queueName={queueName} onClose={() => setAsked(null)} onRefused={refused} />
      <ConfirmDialog
        open={shown('remove') !== null}
        title={t('removeDialog.title', { name })}
        consequence={<p>{t('removeDialog.text')}</p>}
        confirmLabel={t('removeDialog.submit')}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={remove.isPending}
        error={remove.error && !isOutdated(remove.error) && t('actionFailed', { reason: whyRefused(remove.error, t) })}
        onConfirm={() => asked && remove.mutate(asked.item)}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}

/**
 * Where the focus belongs after a move or a removal: on the same button of the product, which may stand elsewhere now; where it is
 * gone, on the list. Only when the change of the list has taken the focus away.
 */
function useKeptFocus(data: unknown, list: { current: HTMLElement | null }) {
  const wanted = useRef<{ productId: string; act: string } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the new list is there.
  useEffect(() => {
    if (wanted.current && document.activeElement === document.body) {
      const { productId, act } = wanted.current;
      const button = list.current?.querySelector<HTMLElement>(`[data-product="${productId}"] [data-act="${act}"]`);
      (button ?? list.current)?.focus({ preventScroll: button === null });
    }
    wanted.current = undefined;
  }, [data]);
  return wanted;
}
