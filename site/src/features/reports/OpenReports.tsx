import { useState } from 'react';
import { reportReasons } from '../../../../db/vocabularies.ts';
import { isRefused } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import type { Asked } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { productName } from '../admin/productName.ts';
import { messageOf, useLiveUpdates } from '../admin/screen.ts';
import { NoteDialog } from './NoteDialog.tsx';
import { ReportedCard } from './ReportedCard.tsx';
import type { Reported, ReportsScreen } from './reports.ts';

type Decision = 'dismiss' | 'remove';
const isOutdated = isRefused('conflict', 'products.notFound', 'queue.notFound', 'queue.removed');

/** Listings with open reports, most reported first, and the two decisions. */
export function OpenReports({ screen, asked }: { screen: ReportsScreen; asked: Asked }) {
  const { t, common, api, send, invalidate, signIn } = screen;
  const [asking, setAsking] = useState<{ about: Decision; product: Reported } | null>(null);
  const list = useAdminList(screen, {
    key: ['reports'],
    load: ({ reason, page }) =>
      send(api.admin.reports.$get({ query: { page, ...(reason ? { reason } : {}) } })),
    filter: { reason: reportReasons.find((known) => known === asked.reason) },
    asked,
    keepsFilter: true,
  });
  const { reason } = list.filter;
  const refresh = () => invalidate('reports');
  useLiveUpdates(['product', 'slot', 'seller'], refresh);

  const decide = useAction({
    signIn,
    call: ({ about, product, note }: { about: Decision; product: Reported; note: string }) => {
      const one = api.admin.reports[':id'];
      const param = { id: product.id };
      return send<object>(
        about === 'remove'
          ? one.remove.$post({ param, json: { resolution: note } })
          : one.resolve.$post({ param, json: { resolution: note, seen: product.latestAt } }),
      );
    },
    success: (_, { about, product }) => ({
      title: t(about === 'remove' ? 'removed' : 'dismissed'),
      description: productName(product, screen),
    }),
    failure: (error, { about }) => ({
      title: t(about === 'remove' ? 'removeFailed' : 'dismissFailed'),
      description: messageOf(error),
    }),
    isOutdated,
    close: () => setAsking(null),
    invalidates: [['reports']],
    onRefused: (error) => {
      if (isOutdated(error)) toast.info(t('changed'));
    },
  });

  const { data, isFetching, isPending } = list.read;

  const ask = (about: Decision) => (product: Reported) => {
    decide.reset();
    setAsking({ about, product });
  };
  const dialog = (about: Decision) => {
    const product = asking?.about === about ? asking.product : undefined;
    const name = product ? productName(product, screen) : '';
    return (
      <NoteDialog
        about={product?.id ?? null}
        title={t(`${about}Title`, { name })}
        text={t(`${about}Text`)}
        label={t(about === 'remove' ? 'removeNote' : 'note')}
        initial={t(about === 'remove' ? 'removeNoteDefault' : 'noteDefault')}
        submit={t(about)}
        danger={about === 'remove'}
        screen={screen}
        busy={decide.isPending}
        error={decide.error ? messageOf(decide.error) : undefined}
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
          onChange={(event) =>
            list.setFilter({ reason: reportReasons.find((known) => known === event.target.value) })
          }
        />
        <Button busy={isFetching && !isPending} onClick={refresh}>
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </div>
      <p className="soft" role="status">
        {data && data.totalReports > 0 && t('count', { count: data.totalReports })}
      </p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        count={4}
        empty={{ title: t('empty'), text: t('emptyText') }}
      >
        {({ products }) => (
          <ul className="reports">
            {products.map((product) => (
              <ReportedCard
                key={product.id}
                screen={screen}
                product={product}
                onDismiss={ask('dismiss')}
                onRemove={ask('remove')}
              />
            ))}
          </ul>
        )}
      </AdminList>
      {dialog('dismiss')}
      {dialog('remove')}
    </div>
  );
}
