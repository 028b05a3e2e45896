import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { callIt, type Pending, type Spoken } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';

type Props = Spoken & {
  products: readonly Pending[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  onError: (error: Error) => void;
  onDecided: () => void;
};
type Wish = { action: 'approve' } | { action: 'reject'; reason: string };

/** The same decision about everything that is ticked on this page; what another admin has decided meanwhile does not stop the rest. */
export function BulkBar({ products, chosen, language, t, onChoose, onError, onDecided }: Props) {
  const api = useMemo(() => browserApi(language), [language]);
  const [asked, setAsked] = useState<Wish['action'] | null>(null);
  // What left the list meanwhile is no longer part of it.
  const ticked = products.filter(({ id }) => chosen.has(id));
  const count = ticked.length;
  const all = count === products.length;

  const decide = useMutation(
    {
      mutationFn: (wish: Wish) =>
        unwrap(
          api.admin.products.bulk.$post({
            json: { ids: ticked.map(({ id }) => id), seen: Object.fromEntries(ticked.map(({ id, updatedAt }) => [id, updatedAt])), ...wish },
          }),
          t('connection'),
        ),
      onSuccess: ({ results }, { action }) => {
        const done = results.filter(({ outcome }) => outcome === 'done').length;
        const left = results.flatMap((result) => (result.outcome === 'refused' ? [result] : []));
        if (done > 0) toast.success(t(action === 'approve' ? 'selectedApproved' : 'selectedRejected', { count: done }));
        if (left.length > 0) {
          const why = left.map(({ id, message }) => {
            const product = products.find((known) => known.id === id);
            return product ? `${callIt(product, { language, t })}: ${message}` : message;
          });
          toast.error(t('selectedLeft', { count: left.length }), { description: why.join('\n'), duration: 12_000 });
        }
        setAsked(null);
        onChoose(new Set());
        onDecided();
      },
      onError: (error) => {
        toast.error(t('selectedFailed', { reason: error.message }));
        onError(error);
      },
    },
    queryClient(),
  );
  const error = decide.error ? (decide.error instanceof ApiError ? decide.error.message : String(decide.error)) : undefined;
  const ask = (action: Wish['action']) => {
    decide.reset();
    setAsked(action);
  };

  return (
    <div className="bulk" data-open={count > 0 || undefined}>
      <label className="bulk__all">
        <input
          type="checkbox"
          checked={all}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !all;
          }}
          onChange={() => onChoose(all ? new Set() : new Set(products.map(({ id }) => id)))}
        />
        <span>{t('selectAll')}</span>
      </label>
      <span className="soft small" role="status">
        {count > 0 && t('selected', { count })}
      </span>
      {count > 0 && (
        <div className="bulk__acts">
          <Button compact variant="primary" onClick={() => ask('approve')}>
            {t('approveSelected')}
          </Button>
          <Button compact onClick={() => ask('reject')}>
            {t('rejectSelected')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked === 'approve'}
        tone="primary"
        title={t('approveSelectedTitle', { count })}
        consequence={t('approveSelectedText')}
        confirmLabel={t('approve')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        busy={decide.isPending}
        error={error}
        onConfirm={() => decide.mutate({ action: 'approve' })}
        onClose={() => setAsked(null)}
      >
        <Names products={ticked} language={language} t={t} />
      </ConfirmDialog>
      <RejectDialog
        about={asked === 'reject' ? 'selected' : null}
        title={t('rejectSelectedTitle', { count })}
        text={t('rejectSelectedText')}
        t={t}
        busy={decide.isPending}
        error={error}
        onClose={() => setAsked(null)}
        onReject={(reason) => decide.mutate({ action: 'reject', reason })}
      />
    </div>
  );
}

function Names({ products, ...spoken }: Spoken & { products: readonly Pending[] }) {
  return (
    <ul className="bulk__names">
      {products.map((product) => (
        <li key={product.id}>{callIt(product, spoken)}</li>
      ))}
    </ul>
  );
}
