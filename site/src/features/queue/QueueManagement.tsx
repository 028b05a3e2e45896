import { useState } from 'react';
import { number } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useAction } from '../actions/useAction.ts';
import {
  type AdminScreenProps,
  useAdminRead,
  useAdminScreen,
  useLiveUpdates,
} from '../admin/screen.ts';
import { Lane } from './Lane.tsx';
import { QueueStats } from './QueueStats.tsx';
import { type QueueScreen, whyRefused } from './queue.ts';
import { RemovedProducts } from './RemovedProducts.tsx';
import './queue.css';
import type { QueueWords } from './words.ts';

const lanes = [
  ['featured', 'queue:featured'],
  ['regular', 'queue:regular'],
] as const;

/** Queue screen with both lanes (product §2 /admin/queue). */
export default function QueueManagement(props: AdminScreenProps<QueueWords>) {
  const base = useAdminScreen(props);
  const { t, common, api, send, signIn, invalidate } = base;
  const [lane, setLane] = useState<string>();
  const refresh = () => invalidate('queue', 'slots');
  useLiveUpdates(['queue', 'slot', 'product', 'seller'], refresh);
  const stats = useAdminRead(base, ['queue', 'stats'], () => send(api.admin.queue.stats.$get()));
  const screen: QueueScreen = { ...base, refresh };

  const run = useAction({
    signIn,
    call: () => send(api.admin.jobs['process-queue'].$post()),
    success: ({ processedCount, availableSlots }) =>
      t('runDone', { count: processedCount, available: availableSlots }),
    failure: (error) => t('actionFailed', { reason: whyRefused(error, t) }),
    onDone: refresh,
  });

  return (
    <div className="stack">
      <QueueStats read={stats} screen={screen} />
      <div className="queue__note">
        <Note
          action={
            <Button busy={run.isPending} onClick={() => run.mutate()}>
              <Icon name="play" />
              {t('runNow')}
            </Button>
          }
        >
          {t('note')}
        </Note>
      </div>
      <div className="row row--apart">
        <h2>{t('list')}</h2>
        <Button busy={stats.isFetching && !stats.isPending} onClick={refresh}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      <Tabs
        label={t('list')}
        {...(lane ? { selected: lane } : {})}
        onSelect={setLane}
        tabs={lanes.map(([id, queueName]) => ({
          id,
          label: (
            <>
              {t(`lanes.${id}`)}{' '}
              {stats.data && (
                <span className="queue__count">
                  {number(stats.data.waiting[queueName], screen.language)}
                </span>
              )}
            </>
          ),
          panel: <Lane key={id} queueName={queueName} label={t(`lanes.${id}`)} screen={screen} />,
        }))}
      />
      <RemovedProducts screen={screen} />
    </div>
  );
}
