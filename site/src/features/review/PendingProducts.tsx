import { useEffect, useState } from 'react';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { productName } from '../admin/productName.ts';
import { type AdminScreenProps, useAdminScreen, useLiveUpdates } from '../admin/screen.ts';
import { BulkBar } from './BulkBar.tsx';
import { Changes } from './Changes.tsx';
import { Flagged } from './Flagged.tsx';
import { PendingCard } from './PendingCard.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { isOutdated, type Pending, type PendingPage, whyNot } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';
import './review.css';
import type { PendingWords } from './words.ts';

type Asked = { about: 'preview' | 'approve' | 'reject'; product: Pending } | null;

/**
 * Review of submissions (product §2 /admin/products/pending): preview, approve, or reject with a
 * reason. A failed request loses nothing. `edit` is the path that precedes a product's id.
 */
export default function PendingProducts({
  edit: path,
  ...props
}: AdminScreenProps<PendingWords> & { edit: string }) {
  const screen = useAdminScreen(props);
  const { language, t, common, api, send, invalidate, signIn, isAdmin } = screen;
  const edit = isAdmin ? path : undefined;
  const [asked, setAsked] = useState<Asked>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const spoken = { language, t };
  const list = useAdminList(screen, {
    key: ['pending'],
    load: (query) => send(api.admin.products.pending.$get({ query })),
    filter: {},
  });
  const refresh = () => invalidate('pending', 'changes');
  const shown = (about: NonNullable<Asked>['about']) =>
    asked?.about === about ? asked.product : null;

  /** Removes a product from the cache at once, before the reload. */
  const takeOff = ({ id }: Pending) => {
    queryClient().setQueriesData<PendingPage>({ queryKey: ['pending'] }, (known) =>
      known?.products.some((product) => product.id === id)
        ? {
            ...known,
            total: known.total - 1,
            products: known.products.filter((product) => product.id !== id),
          }
        : known,
    );
  };
  const decision = {
    signIn,
    isOutdated,
    close: () => setAsked(null),
    invalidates: [['pending'], ['changes']],
  };
  const approve = useAction({
    ...decision,
    call: (product: Pending, key) =>
      send(
        api.admin.products[':id'].approve.$post({
          param: { id: product.id },
          query: { seen: product.updatedAt },
          header: { 'idempotency-key': key },
        }),
      ),
    success: (_, product) => ({ title: t('approved'), description: productName(product, screen) }),
    failure: (error) => t('approveFailed', { reason: whyNot(error, t) }),
    onDone: (_, product) => takeOff(product),
  });
  const reject = useAction({
    ...decision,
    call: ({ product, reason }: { product: Pending; reason: string }, key) =>
      send(
        api.admin.products[':id'].reject.$post({
          param: { id: product.id },
          json: { reason, seen: product.updatedAt },
          header: { 'idempotency-key': key },
        }),
      ),
    success: (_, { product }) => ({
      title: t('rejected'),
      description: productName(product, screen),
    }),
    failure: (error) => t('rejectFailed', { reason: whyNot(error, t) }),
    onDone: (_, { product }) => takeOff(product),
  });
  const process = useAction({
    signIn,
    call: () => send(api.admin.jobs['process-queue'].$post()),
    success: ({ processedCount, availableSlots }) =>
      t('runDone', { count: processedCount, available: availableSlots }),
    failure: (error) => t('processFailed', { reason: whyNot(error, t) }),
  });

  useLiveUpdates(['pending'], refresh);

  const { data, error, isPending, isFetching } = list.read;
  useEffect(() => {
    if (error && data) toast.error(t('loadFailed'), { description: error.message });
  }, [error, data, t]);

  const open = (about: NonNullable<Asked>['about']) => (product: Pending) => {
    approve.reset();
    reject.reset();
    setAsked({ about, product });
  };

  return (
    <div className="stack">
      <div className="row row--apart">
        <p className="soft" role="status">
          {data && t('count', { count: data.total })}
        </p>
        <div className="row">
          {isAdmin && (
            <Button busy={process.isPending} onClick={() => process.mutate()}>
              <Icon name="queue" />
              {t('process')}
            </Button>
          )}
          <Button busy={isFetching && !isPending} onClick={refresh}>
            <Icon name="refresh" />
            {common('refresh')}
          </Button>
        </div>
      </div>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        empty={{ title: t('empty'), text: t('emptyText') }}
      >
        {({ products }) => (
          <>
            <BulkBar screen={screen} products={products} chosen={chosen} onChoose={setChosen} />
            <ul className="pending">
              {products.map((product) => (
                <PendingCard
                  key={product.id}
                  product={product}
                  {...spoken}
                  edit={edit}
                  chosen={chosen.has(product.id)}
                  onChoose={(yes) =>
                    setChosen(
                      (now) =>
                        new Set(
                          yes ? [...now, product.id] : [...now].filter((id) => id !== product.id),
                        ),
                    )
                  }
                  onPreview={open('preview')}
                  onApprove={open('approve')}
                  onReject={open('reject')}
                />
              ))}
            </ul>
          </>
        )}
      </AdminList>
      <Changes screen={screen} />
      {edit !== undefined && <Flagged screen={screen} edit={edit} />}
      <PreviewDialog
        screen={screen}
        edit={edit}
        product={shown('preview')}
        onClose={() => setAsked(null)}
        onApprove={open('approve')}
        onReject={open('reject')}
      />
      <ConfirmDialog
        open={shown('approve') !== null}
        tone="primary"
        title={t('approveTitle', { name: asked ? productName(asked.product, screen) : '' })}
        consequence={
          asked?.product.listingType === 'featured' ? t('approveFeatured') : t('approveRegular')
        }
        confirmLabel={t('approve')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={approve.isPending}
        error={approve.error && whyNot(approve.error, t)}
        onConfirm={() => asked && approve.mutate(asked.product)}
        onClose={() => setAsked(null)}
      />
      <RejectDialog
        about={shown('reject')?.id ?? null}
        title={t('rejectTitle', { name: asked ? productName(asked.product, screen) : '' })}
        text={t('rejectText')}
        screen={screen}
        busy={reject.isPending}
        error={reject.error ? whyNot(reject.error, t) : undefined}
        onClose={() => setAsked(null)}
        onReject={(reason) => asked && reject.mutate({ product: asked.product, reason })}
      />
    </div>
  );
}
