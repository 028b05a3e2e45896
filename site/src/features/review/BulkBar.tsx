import { useState } from 'react';
import { isolate } from '../../../../locales/isolate.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { productName } from '../admin/productName.ts';
import { messageOf } from '../admin/screen.ts';
import type { Pending, ReviewScreen } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';

type Props = {
  screen: ReviewScreen;
  products: readonly Pending[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
};
type Decision = { action: 'approve' } | { action: 'reject'; reason: string };

/**
 * Approves or rejects all selected products; those already decided by another admin do not stop the
 * rest.
 */
export function BulkBar({ screen, products, chosen, onChoose }: Props) {
  const { t, common, api, send, invalidate, signIn } = screen;
  const [asked, setAsked] = useState<Decision['action'] | null>(null);
  // Only products still on the list.
  const ticked = products.filter(({ id }) => chosen.has(id));
  const count = ticked.length;
  const all = count === products.length;
  const approvable = ticked.filter(({ can }) => can.approve);
  const others = ticked.filter(({ can }) => !can.approve);
  const ofThose = (action: Decision['action']) => (action === 'approve' ? approvable : ticked);

  const decide = useAction({
    signIn,
    call: (decision: Decision) => {
      const these = ofThose(decision.action);
      const seen = Object.fromEntries(these.map(({ id, updatedAt }) => [id, updatedAt]));
      return send(
        api.admin.products.bulk.$post({
          json: { ids: these.map(({ id }) => id), seen, ...decision },
        }),
      );
    },
    success: ({ results }, { action }) => {
      const count = results.filter(({ outcome }) => outcome === 'done').length;
      return (
        count > 0 && t(action === 'approve' ? 'selectedApproved' : 'selectedRejected', { count })
      );
    },
    failure: (error) => t('selectedFailed', { reason: error.message }),
    close: () => setAsked(null),
    onDone: ({ results }) => {
      const left = results.flatMap((result) => (result.outcome === 'refused' ? [result] : []));
      const reasons = left.map(({ id, message }) => {
        const product = products.find((known) => known.id === id);
        return product ? `${isolate(productName(product, screen))}: ${message}` : message;
      });
      if (left.length > 0)
        toast.error(t('selectedLeft', { count: left.length }), { description: reasons.join('\n') });
      onChoose(new Set());
      invalidate('pending', 'changes');
    },
  });
  const error = decide.error ? messageOf(decide.error) : undefined;
  const ask = (action: Decision['action']) => {
    decide.reset();
    setAsked(action);
  };

  if (products.length === 0) return null;
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
          {approvable.length > 0 && (
            <Button compact variant="primary" onClick={() => ask('approve')}>
              {t('approveSelected')}
            </Button>
          )}
          <Button compact onClick={() => ask('reject')}>
            {t('rejectSelected')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked === 'approve'}
        tone="primary"
        title={t('approveSelectedTitle', { count: approvable.length })}
        consequence={t('approveSelectedText')}
        confirmLabel={t('approve')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={decide.isPending}
        error={error}
        onConfirm={() => decide.mutate({ action: 'approve' })}
        onClose={() => setAsked(null)}
      >
        <Names products={approvable} screen={screen} />
        {others.length > 0 && (
          <>
            <p>{t('selectedCannot', { count: others.length })}</p>
            <Names products={others} screen={screen} />
          </>
        )}
      </ConfirmDialog>
      <RejectDialog
        about={asked === 'reject' ? 'selected' : null}
        title={t('rejectSelectedTitle', { count })}
        text={t('rejectSelectedText')}
        screen={screen}
        busy={decide.isPending}
        error={error}
        onClose={() => setAsked(null)}
        onReject={(reason) => decide.mutate({ action: 'reject', reason })}
      />
    </div>
  );
}

function Names({ products, screen }: Pick<Props, 'products' | 'screen'>) {
  return (
    <ul className="bulk__names">
      {products.map((product) => (
        <li key={product.id}>
          <bdi>{productName(product, screen)}</bdi>
        </li>
      ))}
    </ul>
  );
}
