import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { reportReasons } from '../../../../api/reports/schema.ts';
import { ApiError, unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { type Asked, keepInAddress, pageAsked } from '../admin/address.ts';
import { callIt } from '../admin/callIt.ts';
import { keptWithin, ReadState, useNews, useRead, why } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import { NoteDialog } from './NoteDialog.tsx';
import { ReportedCard } from './ReportedCard.tsx';
import type { Reason, Reported, ReportsDesk } from './reports.ts';

type Decision = 'dismiss' | 'remove';

/** The listings with open reports, the most reported first, and the two answers to them. */
export function OpenReports({ desk, asked }: { desk: ReportsDesk; asked: Asked }) {
  const { t, d, api, client, lost, language } = desk;
  const [{ reason, page }, setShown] = useState({ reason: reportReasons.find((known) => known === asked.reason), page: pageAsked(asked) });
  const [asking, setAsking] = useState<{ about: Decision; product: Reported } | null>(null);
  const show = (next: { reason: Reason | undefined; page: number }) => {
    setShown(next);
    keepInAddress(next);
  };
  const list = useRead(
    ['reports', reason, page],
    () => unwrap(api.admin.reports.$get({ query: { page: String(page), ...(reason ? { reason } : {}) } }), d('connection')),
    desk,
    { placeholderData: keptWithin(reason) },
  );
  const refresh = () => client.invalidateQueries({ queryKey: ['reports'] });
  useNews(['product', 'slot', 'seller'], refresh);

  const decide = useMutation(
    {
      mutationFn: ({ about, product, note }: { about: Decision; product: Reported; note: string }) => {
        const one = api.admin.reports[':id'];
        const param = { id: product.id };
        return unwrap<object>(
          about === 'remove'
            ? one.remove.$post({ param, json: { resolution: note } })
            : one.resolve.$post({ param, json: { resolution: note, seen: product.latestAt } }),
          d('connection'),
        );
      },
      onSuccess: (_, { about, product }) => {
        toast.success(t(about === 'remove' ? 'removed' : 'dismissed'), { description: callIt(product.name, language, t('unnamed')) });
        setAsking(null);
        return refresh();
      },
      onError: (error, { about }) => {
        toast.error(t(about === 'remove' ? 'removeFailed' : 'dismissFailed'), { description: why(error) });
        if (lost(error) || !(error instanceof ApiError)) return;
        if (error.code === 'conflict' || error.code === 'products.notFound') {
          toast.info(t('changed'));
          setAsking(null);
          refresh();
        }
      },
    },
    client,
  );

  const { data, isFetching, isPending } = list;

  const ask = (about: Decision) => (product: Reported) => {
    decide.reset();
    setAsking({ about, product });
  };
  const dialog = (about: Decision) => {
    const product = asking?.about === about ? asking.product : undefined;
    const name = product ? callIt(product.name, language, t('unnamed')) : '';
    return (
      <NoteDialog
        about={product?.id ?? null}
        title={t(`${about}Title`, { name })}
        text={t(`${about}Text`)}
        label={t(about === 'remove' ? 'removeNote' : 'note')}
        initial={t(about === 'remove' ? 'removeNoteDefault' : 'noteDefault')}
        submit={t(about)}
        danger={about === 'remove'}
        desk={desk}
        busy={decide.isPending}
        error={decide.error ? why(decide.error) : undefined}
        onClose={() => setAsking(null)}
        onSubmit={(note) => product && decide.mutate({ about, product, note })}
      />
    );
  };

  return (
    <div className="stack">
      <p className="soft">{t('text')}</p>
      <div className="row row--apart reports__bar">
        <Select
          label={t('byReason')}
          value={reason ?? ''}
          placeholder={t('allReasons')}
          options={reportReasons.map((value) => ({ value, label: t(`reasons.${value}`) }))}
          onChange={(event) => show({ reason: reportReasons.find((known) => known === event.target.value), page: 1 })}
        />
        <Button busy={isFetching && !isPending} onClick={refresh}>
          <Icon name="refresh" />
          {d('refresh')}
        </Button>
      </div>
      <p className="soft" role="status">
        {data && data.totalReports > 0 && t('count', { count: data.totalReports })}
      </p>
      <ReadState
        read={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={d('retry')}
        count={4}
        empty={{ when: ({ total }) => total === 0, title: t('empty'), text: t('emptyText') }}
      >
        {({ products }) => (
          <ul className="reports">
            {products.map((product) => (
              <ReportedCard key={product.id} desk={desk} product={product} onDismiss={ask('dismiss')} onRemove={ask('remove')} />
            ))}
          </ul>
        )}
      </ReadState>
      <ListPages read={list} page={page} onPage={(next) => show({ reason, page: next })} t={d} />
      {dialog('dismiss')}
      {dialog('remove')}
    </div>
  );
}
