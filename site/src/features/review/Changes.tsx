import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { ChangeCard } from './ChangeCard.tsx';
import { type Change, callIt, isOutdated, type Spoken } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';

type Decision = 'approve' | 'reject';

/** Changes of listed products (product R19): what buyers see now, what they would see, and the decision. Nothing where none waits. */
export function Changes({ language, t, onError }: Spoken & { onError: (error: Error) => void }) {
  const api = useMemo(() => browserApi(language), [language]);
  const client = queryClient();
  const titleId = useId();
  const [asked, setAsked] = useState<{ decision: Decision; change: Change } | null>(null);
  const list = useQuery({ queryKey: ['changes'], queryFn: () => unwrap(api.admin.products.edits.$get(), t('connection')) }, client);

  const decide = useMutation(
    {
      mutationFn: ({ decision, change, reason }: { decision: Decision; change: Change; reason?: string }) =>
        unwrap(
          api.admin.products[':id'].edit[':decision'].$post({
            param: { id: change.id, decision },
            json: { seen: change.submittedAt, ...(reason ? { reason } : {}) },
          }),
          t('connection'),
        ),
      onSuccess: (_, { decision, change }) => {
        toast.success(t(decision === 'approve' ? 'changeApproved' : 'changeRejected'), { description: callIt(change.before, { language, t }) });
        setAsked(null);
        return client.invalidateQueries({ queryKey: ['changes'] });
      },
      onError: (error) => {
        toast.error(t('changeFailed', { reason: error.message }));
        if (error instanceof ApiError && isOutdated(error.code)) setAsked(null);
        onError(error);
      },
    },
    client,
  );
  const error = decide.error ? (decide.error instanceof ApiError ? decide.error.message : String(decide.error)) : undefined;
  const open = (decision: Decision) => (change: Change) => {
    decide.reset();
    setAsked({ decision, change });
  };
  const { data } = list;
  if (list.error && !data)
    return (
      <ErrorState title={t('changesFailed')} retryLabel={t('retry')} busy={list.isFetching} onRetry={() => list.refetch()}>
        {list.error.message}
      </ErrorState>
    );
  // One that is taken back while it is asked about leaves its dialog, and what was typed into it, to the answer.
  if (!data || (data.edits.length === 0 && !asked)) return null;
  const name = asked ? callIt(asked.change.before, { language, t }) : '';
  return (
    <section className="stack" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{t('changes')}</h2>
        <p className="soft">{t('changesText')}</p>
      </div>
      <ul className="pending">
        {data.edits.map((change) => (
          <ChangeCard key={change.id} change={change} language={language} t={t} onApprove={open('approve')} onReject={open('reject')} />
        ))}
      </ul>
      <ConfirmDialog
        open={asked?.decision === 'approve'}
        tone="primary"
        title={t('changeApproveTitle', { name })}
        consequence={t('changeApproveText')}
        confirmLabel={t('approve')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        busy={decide.isPending}
        error={error}
        onConfirm={() => asked && decide.mutate(asked)}
        onClose={() => setAsked(null)}
      />
      <RejectDialog
        about={asked?.decision === 'reject' ? asked.change.id : null}
        title={t('changeRejectTitle', { name })}
        text={t('changeRejectText')}
        t={t}
        busy={decide.isPending}
        error={error}
        onClose={() => setAsked(null)}
        onReject={(reason) => asked && decide.mutate({ ...asked, reason })}
      />
    </section>
  );
}
