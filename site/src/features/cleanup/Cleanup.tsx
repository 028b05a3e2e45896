import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { type DeskProps, ReadState, useDesk, useNews, useRead, why } from '../admin/desk.tsx';
import { Stats } from './Stats.tsx';
import { Storage } from './Storage.tsx';
import './cleanup.css';
import type { CleanupWords } from './words.ts';

export type CleanupDesk = ReturnType<typeof useDesk<CleanupWords>>;

/** The storage cleanup (product §2 /admin/cleanup, §4, §9): what was cleaned, what the storage holds, the rules, and the button. */
export default function Cleanup(props: DeskProps<CleanupWords>) {
  const desk = useDesk(props);
  const { t, d, api, client, lost } = desk;
  const [asking, setAsking] = useState(false);
  const stats = useRead(['cleanup', 'stats'], () => unwrap(api.admin.cleanup.stats.$get({ query: {} }), d('connection')), desk);
  const storage = useRead(['cleanup', 'storage'], () => unwrap(api.admin.cleanup.storage.$get(), d('connection')), desk);
  const refresh = () => client.invalidateQueries({ queryKey: ['cleanup'] });
  useNews(['slot', 'product', 'pending'], refresh);
  const counted = (products: number, images: number) => ({
    products: t('completedProducts', { count: products }),
    images: t('completedImages', { count: images }),
  });
  const run = useMutation(
    {
      mutationFn: () => unwrap(api.admin.cleanup.$post(), d('connection')),
      retry: false,
      onSuccess: ({ cleaned_products, deleted_images }) => {
        toast.success(t('completed', counted(cleaned_products, deleted_images)));
        setAsking(false);
        return refresh();
      },
      // What was deleted before it failed is gone all the same.
      onError: (error) => (lost(error) ? undefined : refresh()),
    },
    client,
  );
  const due = stats.data?.due;
  const open = () => {
    run.reset();
    setAsking(true);
  };

  return (
    <div className="stack">
      {run.data && run.data.orphaned_files > 0 && <Note tone="good">{t('orphanedFiles', { count: run.data.orphaned_files })}</Note>}
      {run.data && run.data.held_files > 0 && <Note tone="wait">{t('heldFiles', { count: run.data.held_files })}</Note>}
      <section aria-labelledby="cleanup-stats" className="stack">
        <h2 id="cleanup-stats">{t('stats')}</h2>
        <ReadState read={stats} loading={t('loading')} failed={t('statsFailed')} retry={d('retry')} shape="card" count={3}>
          {(figures) => <Stats figures={figures} desk={desk} />}
        </ReadState>
      </section>
      <div className="cleanup__halves">
        <section aria-labelledby="cleanup-storage" className="panel">
          <h2 id="cleanup-storage">{t('storage')}</h2>
          <ReadState read={storage} loading={t('loading')} failed={t('storageFailed')} retry={d('retry')} count={2}>
            {(figures) => <Storage figures={figures} desk={desk} />}
          </ReadState>
        </section>
        <section aria-labelledby="cleanup-rules" className="panel">
          <h2 id="cleanup-rules">{t('rules')}</h2>
          <ul className="cleanup__rules">
            <li>{t('ruleImages')}</li>
            <li>{t('ruleRecords')}</li>
            <li>{t('ruleRemoved')}</li>
            <li>{t('ruleFiles')}</li>
          </ul>
          <p className="soft small">{t('ruleDaily')}</p>
          <Button variant="danger" onClick={open}>
            <Icon name="bin" />
            {t('run')}
          </Button>
        </section>
      </div>
      <ConfirmDialog
        open={asking}
        title={t('confirmTitle')}
        consequence={
          <div className="stack">
            {due && <p>{due.products + due.images > 0 ? t('confirmDue', counted(due.products, due.images)) : t('confirmNothing')}</p>}
            <p>{t('confirmText')}</p>
          </div>
        }
        confirmLabel={run.isPending ? t('running') : t('run')}
        cancelLabel={d('cancel')}
        closeLabel={d('close')}
        busy={run.isPending}
        error={
          run.error && (
            <>
              <strong>{t('failed')}</strong>
              <br />
              {why(run.error)}
            </>
          )
        }
        onConfirm={() => run.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
