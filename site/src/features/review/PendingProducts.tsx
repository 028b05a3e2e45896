import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useNews } from '../admin/desk.tsx';
import { BulkBar } from './BulkBar.tsx';
import { Changes } from './Changes.tsx';
import { PendingCard } from './PendingCard.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { callIt, isOutdated, type Pending, whyNot } from './pending.ts';
import { RejectDialog } from './RejectDialog.tsx';
import './review.css';
import { ListPages } from '../admin/ListPages.tsx';
import type { PendingWords } from './words.ts';

export type PendingProductsProps = { language: Language; words: PendingWords; signIn: string };
type Asked = { about: 'preview' | 'approve' | 'reject'; product: Pending } | null;

/** The review (product §2 /admin/products/pending): look, approve, or reject with a reason. A failed request loses nothing. */
export default function PendingProducts({ language, words, signIn }: PendingProductsProps) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const api = useMemo(() => browserApi(language), [language]);
  const client = queryClient();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const spoken = { language, t };

  const list = useQuery(
    {
      queryKey: ['pending', page],
      queryFn: () => unwrap(api.admin.products.pending.$get({ query: { page: String(page) } }), t('connection')),
      placeholderData: keepPreviousData,
    },
    client,
  );
  const refresh = () => Promise.all([client.invalidateQueries({ queryKey: ['pending'] }), client.invalidateQueries({ queryKey: ['changes'] })]);
  const shown = (about: NonNullable<Asked>['about']) => (asked?.about === about ? asked.product : null);
  const why = (error: Error) => whyNot(error, t);

  /** Somebody else decided meanwhile, or the session is over: the list or the page must change. */
  const outdated = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) window.location.assign(signIn);
    else if (error.code === 'forbidden') window.location.reload();
    else if (isOutdated(error.code)) {
      setAsked(null);
      refresh();
    }
  };
  const decided = (id: string) => {
    setAsked(null);
    // Off the list at once; the server's own list follows.
    client.setQueryData<typeof list.data>(
      ['pending', page],
      (known) => known && { ...known, total: known.total - 1, products: known.products.filter((product) => product.id !== id) },
    );
    return refresh();
  };

  const approve = useMutation(
    {
      mutationFn: (product: Pending) =>
        unwrap(api.admin.products[':id'].approve.$post({ param: { id: product.id }, query: { seen: product.updatedAt } }), t('connection')),
      onSuccess: (_, product) => {
        toast.success(t('approved'), { description: callIt(product, spoken) });
        return decided(product.id);
      },
      onError: (error) => {
        toast.error(t('approveFailed', { reason: why(error) }));
        outdated(error);
      },
    },
    client,
  );
  const reject = useMutation(
    {
      mutationFn: ({ product, reason }: { product: Pending; reason: string }) =>
        unwrap(api.admin.products[':id'].reject.$post({ param: { id: product.id }, json: { reason, seen: product.updatedAt } }), t('connection')),
      onSuccess: (_, { product }) => {
        toast.success(t('rejected'), { description: callIt(product, spoken) });
        return decided(product.id);
      },
      onError: (error) => {
        toast.error(t('rejectFailed', { reason: why(error) }));
        outdated(error);
      },
    },
    client,
  );
  const process = useMutation(
    {
      mutationFn: () => unwrap(api.admin.jobs['process-queue'].$post(), t('connection')),
      onSuccess: ({ processedCount, availableSlots }) => toast.success(t('runDone', { count: processedCount, available: availableSlots })),
      onError: (error) => {
        toast.error(t('processFailed', { reason: why(error) }));
        outdated(error);
      },
    },
    client,
  );

  useNews(['pending'], refresh);

  const { data, error, isPending, isFetching } = list;
  useEffect(() => {
    if (error instanceof ApiError && error.status === 401) window.location.assign(signIn);
    if (error && data) toast.error(t('loadFailed'), { description: error.message });
  }, [error, data, signIn, t]);

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
          <Button busy={process.isPending} onClick={() => process.mutate()}>
            <Icon name="queue" />
            {t('process')}
          </Button>
          <Button busy={isFetching && !isPending} onClick={refresh}>
            <Icon name="refresh" />
            {t('refresh')}
          </Button>
        </div>
      </div>
      {isPending && <Skeleton shape="row" count={6} label={t('loading')} />}
      {error && !data && (
        <ErrorState title={t('loadFailed')} retryLabel={t('retry')} busy={isFetching} onRetry={() => list.refetch()}>
          {error.message}
        </ErrorState>
      )}
      {error && data && (
        <Note tone="bad" title={t('loadFailed')}>
          {error.message}
        </Note>
      )}
      {data?.total === 0 && (
        <EmptyState title={t('empty')} icon="check">
          {t('emptyText')}
        </EmptyState>
      )}
      {data && data.products.length > 0 && (
        <BulkBar products={data.products} chosen={chosen} {...spoken} onChoose={setChosen} onError={outdated} onDecided={refresh} />
      )}
      {data && data.products.length > 0 && (
        <ul className="pending">
          {data.products.map((product) => (
            <PendingCard
              key={product.id}
              product={product}
              {...spoken}
              chosen={chosen.has(product.id)}
              onChoose={(yes) => setChosen((now) => new Set(yes ? [...now, product.id] : [...now].filter((id) => id !== product.id)))}
              onPreview={open('preview')}
              onApprove={open('approve')}
              onReject={open('reject')}
            />
          ))}
        </ul>
      )}
      <ListPages read={list} page={page} onPage={setPage} t={t} />
      <Changes {...spoken} onError={outdated} />
      <PreviewDialog product={shown('preview')} {...spoken} onClose={() => setAsked(null)} onApprove={open('approve')} onReject={open('reject')} />
      <ConfirmDialog
        open={shown('approve') !== null}
        tone="primary"
        title={t('approveTitle', { name: asked ? callIt(asked.product, spoken) : '' })}
        consequence={asked?.product.listingType === 'featured' ? t('approveFeatured') : t('approveRegular')}
        confirmLabel={t('approve')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        busy={approve.isPending}
        error={approve.error && why(approve.error)}
        onConfirm={() => asked && approve.mutate(asked.product)}
        onClose={() => setAsked(null)}
      />
      <RejectDialog
        about={shown('reject')?.id ?? null}
        title={t('rejectTitle', { name: asked ? callIt(asked.product, spoken) : '' })}
        text={t('rejectText')}
        t={t}
        busy={reject.isPending}
        error={reject.error ? why(reject.error) : undefined}
        onClose={() => setAsked(null)}
        onReject={(reason) => asked && reject.mutate({ product: asked.product, reason })}
      />
    </div>
  );
}
