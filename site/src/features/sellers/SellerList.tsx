import { useEffect, useState } from 'react';
import { adminLimits } from '../../../../api/sellers/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Asked } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { useLiveUpdates } from '../admin/screen.ts';
import { ActDialogs } from './ActDialogs.tsx';
import { ChatCodeDialog } from './ChatCodeDialog.tsx';
import { NotifyDialog } from './NotifyDialog.tsx';
import { SellerTable } from './SellerTable.tsx';
import type { Asking, SellersScreen } from './sellers.ts';

/** Debounce of the search. */
const typingMs = 300;

/** Paginated sellers with a search by name or email, kept in the address. */
export function SellerList({ screen, asked }: { screen: SellersScreen; asked: Asked }) {
  const { t, common, api, send, invalidate } = screen;
  const [typed, setTyped] = useState((asked.search ?? '').slice(0, adminLimits.search.max));
  const [asking, setAsking] = useState<Asking | null>(null);

  const list = useAdminList(screen, {
    key: ['sellers'],
    load: (query) => send(api.admin.sellers.$get({ query })),
    filter: { search: typed.trim() },
    asked,
  });
  const { search } = list.filter;
  const look = () => {
    if (typed.trim() !== search) list.setFilter({ search: typed.trim() });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another letter restarts the pause.
  useEffect(() => {
    const timer = setTimeout(look, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const refresh = () => invalidate('sellers');
  useLiveUpdates(['seller', 'person', 'pending', 'queue'], refresh);

  const { data, isFetching, isPending } = list.read;

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
            // A submission before hydration puts the search in the address.
            name="search"
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
          {common('refresh')}
        </Button>
      </div>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        empty={{
          title: search ? t('noMatch', { query: search }) : t('empty'),
          ...(search ? {} : { text: t('emptyText') }),
        }}
      >
        {({ sellers }) => <SellerTable screen={screen} sellers={sellers} onAsk={setAsking} />}
      </AdminList>
      <ActDialogs screen={screen} asking={asking} onClose={() => setAsking(null)} />
      <ChatCodeDialog
        screen={screen}
        seller={asking?.about === 'chatCode' ? asking.seller : null}
        onClose={() => setAsking(null)}
      />
      <NotifyDialog
        screen={screen}
        seller={asking?.about === 'notify' ? asking.seller : null}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
