import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import { isolate } from '../../../../locales/isolate.ts';
import { type ApiClient, isRefused } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { path } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { toast } from '../../ui/Toaster.tsx';
import { useAction } from '../actions/useAction.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { messageOf, useLiveUpdates } from '../admin/screen.ts';
import { NoteDialog } from './NoteDialog.tsx';
import { ReportedFor } from './ReportedFor.tsx';
import type { ReportsScreen } from './reports.ts';

type ReportedShop = InferResponseType<
  ApiClient['admin']['reports']['shops']['$get'],
  200
>['shops'][number];
const isOutdated = isRefused('conflict', 'sellers.notFound');

/** Shops with open reports, the most reported first (product R50). A suspension is on the users' page. */
export function ShopReports({ screen }: { screen: ReportsScreen }) {
  const { t, api, send, invalidate, signIn, language, isAdmin } = screen;
  const [asking, setAsking] = useState<ReportedShop | null>(null);
  const list = useAdminList(screen, {
    key: ['shopReports'],
    load: (query) => send(api.admin.reports.shops.$get({ query })),
    filter: {},
  });
  useLiveUpdates(['seller'], () => invalidate('shopReports'));
  const dismiss = useAction({
    signIn,
    call: ({ shop, note }: { shop: ReportedShop; note: string }) =>
      send<object>(
        api.admin.reports.shops[':id'].resolve.$post({
          param: { id: shop.id },
          json: { resolution: note, seen: shop.latestAt },
        }),
      ),
    success: (_, { shop }) => ({ title: t('dismissed'), description: nameOf(shop) }),
    failure: (error) => ({ title: t('dismissFailed'), description: messageOf(error) }),
    isOutdated,
    close: () => setAsking(null),
    invalidates: [['shopReports']],
    onRefused: (error) => {
      if (isOutdated(error)) toast.info(t('changed'));
    },
  });
  const to = (address: string) => path(address, { language, prefixed: true });
  return (
    <div className="stack">
      <p className="soft">{t('shopsText')}</p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        count={3}
        empty={{ title: t('shopsEmpty'), text: t('emptyText') }}
      >
        {({ shops }) => (
          <ul className="reports">
            {shops.map((shop) => (
              <li key={shop.id} className="reported panel">
                <div className="row row--apart reported__head">
                  <h2 dir="auto">{nameOf(shop)}</h2>
                  <Badge tone="bad" icon="flag">
                    {t('count', { count: shop.count })}
                  </Badge>
                </div>
                <p className="row soft small">
                  <span>{t('seller', { name: shop.sellerName })}</span>
                  {shop.suspended && <Badge tone="bad">{t('sellerSuspended')}</Badge>}
                  <span>{t('latest', { date: dateTime(shop.latestAt, language) })}</span>
                </p>
                <ReportedFor {...{ t, language }} {...shop} />
                <div className="row reported__acts">
                  {shop.slug && !shop.suspended && (
                    <ButtonLink href={to(`/shops/${shop.slug}`)} target="_blank" rel="noopener">
                      {t('viewShop')}
                    </ButtonLink>
                  )}
                  {isAdmin && (
                    <ButtonLink
                      href={to(`/admin/users?search=${encodeURIComponent(shop.sellerName)}`)}
                    >
                      {t('openSeller')}
                    </ButtonLink>
                  )}
                  <Button
                    aria-label={`${t('dismiss')}: ${isolate(nameOf(shop))}`}
                    onClick={() => {
                      dismiss.reset();
                      setAsking(shop);
                    }}
                  >
                    {t('dismiss')}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </AdminList>
      <NoteDialog
        about={asking?.id ?? null}
        title={t('dismissTitle', { name: asking ? nameOf(asking) : '' })}
        text={t('dismissShopText')}
        label={t('note')}
        initial={t('noteDefault')}
        submit={t('dismiss')}
        danger={false}
        screen={screen}
        busy={dismiss.isPending}
        error={dismiss.error ? messageOf(dismiss.error) : undefined}
        onClose={() => setAsking(null)}
        onSubmit={(note) => asking && dismiss.mutate({ shop: asking, note })}
      />
    </div>
  );
}

/** Without a shop's name, which may have been taken away since. */
const nameOf = ({ name, sellerName }: ReportedShop): string => name ?? sellerName;
