import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { adminLimits } from '../../../../api/sellers/schema.ts';
import { unwrap } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { type Asked, keepInAddress, pageAsked } from '../admin/address.ts';
import { ReadState, useNews, useRead } from '../admin/desk.tsx';
import { ListPages } from '../admin/ListPages.tsx';
import { ActDialogs } from './ActDialogs.tsx';
import { NotifyDialog } from './NotifyDialog.tsx';
import { SellerTable } from './SellerTable.tsx';
import type { Asking, SellersDesk } from './sellers.ts';

/** A pause in typing after which the search is asked for. */
const typingMs = 300;

/** All sellers, a page at a time, found by name or email. The search stays in the address. */
export function SellerList({ desk, asked }: { desk: SellersDesk; asked: Asked }) {
  const { t, d, api, client } = desk;
  const [typed, setTyped] = useState((asked.search ?? '').slice(0, adminLimits.search.max));
  const [{ search, page }, setShown] = useState({ search: typed.trim(), page: pageAsked(asked) });
  const [asking, setAsking] = useState<Asking | null>(null);

  const show = (next: { search: string; page: number }) => {
    setShown(next);
    keepInAddress(next);
  };
  const look = () => {
    if (typed.trim() !== search) show({ search: typed.trim(), page: 1 });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another letter starts the pause anew.
  useEffect(() => {
    const timer = setTimeout(look, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const list = useRead(['sellers', search, page], () => unwrap(api.admin.sellers.$get({ query: { search, page: String(page) } }), d('connection')), desk, {
    placeholderData: keepPreviousData,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ['sellers'] });
  useNews(['seller', 'person', 'pending', 'queue'], refresh);

  const { data, isFetching, isPending } = list;

  return (
    <div className="stack sellers">
      <search className="sellers__search">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            look();
          }}
        >
          <TextInput
            label={t('search')}
            labelUnseen
            type="search"
            placeholder={t('search')}
            before={<Icon name="search" />}
            value={typed}
            maxLength={adminLimits.search.max}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
      </search>
      <div className="row row--apart">
        <p className="soft" role="status">
          {data && t('count', { count: data.total })}
        </p>
        <Button busy={isFetching && !isPending} onClick={refresh}>
          <Icon name="refresh" />
          {d('refresh')}
        </Button>
      </div>
      <ReadState
        read={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={d('retry')}
        empty={{
          when: ({ total }) => total === 0,
          title: search ? t('noMatch', { query: search }) : t('empty'),
          ...(search ? {} : { text: t('emptyText') }),
        }}
      >
        {({ sellers }) => <SellerTable desk={desk} sellers={sellers} onAsk={setAsking} />}
      </ReadState>
      <ListPages read={list} page={page} onPage={(next) => show({ search, page: next })} t={d} />
      <ActDialogs desk={desk} asking={asking} onClose={() => setAsking(null)} onDone={refresh} />
      <NotifyDialog desk={desk} seller={asking?.about === 'notify' ? asking.seller : null} onClose={() => setAsking(null)} />
    </div>
  );
}
