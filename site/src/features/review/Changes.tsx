import { useId, useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import { ChangeCard } from './ChangeCard.tsx';
import { type Change, isOutdated, type ReviewScreen } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';

type Decision = 'approve' | 'reject';

/** Changes of listed products awaiting review (product R19); empty when there are none. */
export function Changes({ screen }: { screen: ReviewScreen }) {
  const { language, t, common, api, send, signIn } = screen;
  const titleId = useId();
  const [asked, setAsked] = useState<{ decision: Decision; change: Change } | null>(null);
  const list = useAdminRead(screen, ['changes'], () => send(api.admin.products.edits.$get()));

  const decide = useAction({
    signIn,
    call: ({ decision, change, reason }: { decision: Decision; change: Change; reason?: string }) =>
      send(
        api.admin.products[':id'].edit[':decision'].$post({
          param: { id: change.id, decision },
          json: { seen: change.submittedAt, ...(reason ? { reason } : {}) },
        }),
      ),
    success: (_, { decision, change }) => ({
      title: t(decision === 'approve' ? 'changeApproved' : 'changeRejected'),
      description: productName(change.before, screen),
    }),
    failure: (error) => t('changeFailed', { reason: error.message }),
    isOutdated,
    close: () => setAsked(null),
    invalidates: [['changes']],
  });
  const error = decide.error ? messageOf(decide.error) : undefined;
  const open = (decision: Decision) => (change: Change) => {
    decide.reset();
    setAsked({ decision, change });
  };
  const { data } = list;
  if (list.error && !data)
    return (
      <ErrorState
        title={t('changesFailed')}
        retryLabel={common('retry')}
        busy={list.isFetching}
        onRetry={() => list.refetch()}
      >
        {list.error.message}
      </ErrorState>
    );
  // Stay mounted while a dialog is open: a withdrawn change must not discard the text typed in it.
  if (!data || (data.edits.length === 0 && !asked)) return null;
  const name = asked ? productName(asked.change.before, screen) : '';
  return (
    <section className="stack" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{t('changes')}</h2>
        <p className="soft">{t('changesText')}</p>
      </div>
      <ul className="pending">
        {data.edits.map((change) => (
          <ChangeCard
            key={change.id}
            change={change}
            language={language}
            t={t}
            onApprove={open('approve')}
            onReject={open('reject')}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={asked?.decision === 'approve'}
        tone="primary"
        title={t('changeApproveTitle', { name })}
        consequence={t('changeApproveText')}
        confirmLabel={t('approve')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={decide.isPending}
        error={error}
        onConfirm={() => asked && decide.mutate(asked)}
        onClose={() => setAsked(null)}
      />
      <RejectDialog
        about={asked?.decision === 'reject' ? asked.change.id : null}
        title={t('changeRejectTitle', { name })}
        text={t('changeRejectText')}
        screen={screen}
        busy={decide.isPending}
        error={error}
        onClose={() => setAsked(null)}
        onReject={(reason) => asked && decide.mutate({ ...asked, reason })}
      />
    </section>
  );
}
