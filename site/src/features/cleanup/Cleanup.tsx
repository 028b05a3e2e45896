import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import {
  type AdminScreenProps,
  messageOf,
  useAdminRead,
  useAdminScreen,
  useLiveUpdates,
} from '../admin/screen.ts';
import { Stats } from './Stats.tsx';
import { Storage } from './Storage.tsx';
import './cleanup.css';
import type { CleanupWords } from './words.ts';

/**
 * Storage cleanup (product §2 /admin/cleanup, §4, §9): results, storage use, rules, and a manual
 * run.
 */
export default function Cleanup(props: AdminScreenProps<CleanupWords>) {
  const screen = useAdminScreen(props);
  const { t, common, api, send, invalidate, signIn } = screen;
  const [asking, setAsking] = useState(false);
  const stats = useAdminRead(screen, ['cleanup', 'stats'], () =>
    send(api.admin.cleanup.stats.$get({ query: {} })),
  );
  const storage = useAdminRead(screen, ['cleanup', 'storage'], () =>
    send(api.admin.cleanup.storage.$get()),
  );
  useLiveUpdates(['slot', 'product', 'pending'], () => invalidate('cleanup'));
  const counted = (products: number, images: number) => ({
    products: t('completedProducts', { count: products }),
    images: t('completedImages', { count: images }),
  });
  const run = useAction({
    signIn,
    call: () => send(api.admin.cleanup.$post()),
    once: true,
    success: ({ cleaned_products, deleted_images }) =>
      t('completed', counted(cleaned_products, deleted_images)),
    close: () => setAsking(false),
    invalidates: [['cleanup']],
    // Deletions before a failure stay done.
    onRefused: () => invalidate('cleanup'),
  });
  const due = stats.data?.due;
  const open = () => {
    run.reset();
    setAsking(true);
  };

  return (
    <div className="stack">
      {run.data && run.data.orphaned_files > 0 && (
        <Note tone="good">{t('orphanedFiles', { count: run.data.orphaned_files })}</Note>
      )}
      {run.data && run.data.held_files > 0 && (
        <Note tone="wait">{t('heldFiles', { count: run.data.held_files })}</Note>
      )}
      <section aria-labelledby="cleanup-stats" className="stack">
        <h2 id="cleanup-stats">{t('stats')}</h2>
        <ReadState
          read={stats}
          loading={t('loading')}
          failed={t('statsFailed')}
          retry={common('retry')}
          placeholder={<Stats screen={screen} />}
        >
          {(figures) => <Stats figures={figures} screen={screen} />}
        </ReadState>
      </section>
      <div className="cleanup__halves">
        <section aria-labelledby="cleanup-storage" className="panel">
          <h2 id="cleanup-storage">{t('storage')}</h2>
          <ReadState
            read={storage}
            loading={t('loading')}
            failed={t('storageFailed')}
            retry={common('retry')}
            count={3}
          >
            {(figures) => <Storage figures={figures} screen={screen} />}
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
            {due && (
              <p>
                {due.products + due.images > 0
                  ? t('confirmDue', counted(due.products, due.images))
                  : t('confirmNothing')}
              </p>
            )}
            <p>{t('confirmText')}</p>
          </div>
        }
        confirmLabel={run.isPending ? t('running') : t('run')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={run.isPending}
        error={
          run.error && (
            <>
              <strong>{t('failed')}</strong>
              <br />
              {messageOf(run.error)}
            </>
          )
        }
        onConfirm={() => run.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
