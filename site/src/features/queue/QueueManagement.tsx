import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { type DeskProps, useDesk, useNews, useRead } from '../admin/desk.tsx';
import { Lane } from './Lane.tsx';
import { QueueStats } from './QueueStats.tsx';
import { type QueueDesk, whyRefused } from './queue.ts';
import { RemovedProducts } from './RemovedProducts.tsx';
import './queue.css';
import type { QueueWords } from './words.ts';

const lanes = [
  ['featured', 'queue:featured'],
  ['regular', 'queue:regular'],
] as const;

/** The waiting products of both lanes (product §2 /admin/queue): their order, their prospects, and what an admin does about them. */
export default function QueueManagement(props: DeskProps<QueueWords>) {
  const { language, t, d, api, client, lost } = useDesk(props);
  const [lane, setLane] = useState<string>();
  const refresh = () => Promise.all(['queue', 'slots'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  useNews(['queue', 'slot', 'product', 'seller'], refresh);
  const stats = useRead(['queue', 'stats'], () => unwrap(api.admin.queue.stats.$get(), d('connection')), { lost });
  const desk: QueueDesk = { language, t, d, api, lost, refresh };

  const run = useMutation(
    {
      mutationFn: () => unwrap(api.admin.jobs['process-queue'].$post(), d('connection')),
      onSuccess: ({ processedCount, availableSlots }) => {
        toast.success(t('runDone', { count: processedCount, available: availableSlots }));
        return refresh();
      },
      onError: (error) => {
        if (!lost(error)) toast.error(t('actionFailed', { reason: whyRefused(error, t) }));
      },
    },
    client,
  );

  return (
    <div className="stack">
      <QueueStats read={stats} desk={desk} />
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
          {t('refresh')}
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
              {t(`lanes.${id}`)} {stats.data && <span className="queue__count">{stats.data.waiting[queueName]}</span>}
            </>
          ),
          panel: <Lane key={id} queueName={queueName} label={t(`lanes.${id}`)} desk={desk} />,
        }))}
      />
      <RemovedProducts desk={desk} />
    </div>
  );
}
