import { useEffect, useState } from 'react';
import { postFilters } from '../../../../api/connect/schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Select, TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Asked } from '../admin/address.ts';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import { PostCard } from './PostCard.tsx';
import { PostDialogs } from './PostDialogs.tsx';
import type { Asking } from './posts.ts';
import '../reports/reports.css';
import './posts.css';
import type { PostWords } from './words.ts';

export type PostsProps = AdminScreenProps<PostWords> & { asked: Asked };

const longest = 200;
/** Debounce of the search. */
const typingMs = 300;

/** Posts of Connect by state, reported first, with moderation (product §11). */
export default function Posts({ asked, ...props }: PostsProps) {
  const screen = useAdminScreen(props);
  const { t, common, api, send, invalidate } = screen;
  const [typed, setTyped] = useState((asked.search ?? '').slice(0, longest));
  const [asking, setAsking] = useState<Asking | null>(null);
  const list = useAdminList(screen, {
    key: ['connectPosts'],
    load: (query) => send(api.admin.connect.posts.$get({ query })),
    filter: {
      show: postFilters.find((known) => known === asked.show) ?? 'reported',
      search: typed.trim(),
    },
    asked,
    inAddress: ({ show, search }) => ({ show: show === 'reported' ? '' : show, search }),
    keepsFilter: true,
  });
  const { show, search } = list.filter;
  const look = () => {
    if (typed.trim() !== search) list.setFilter({ show, search: typed.trim() });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another letter restarts the pause.
  useEffect(() => {
    const timer = setTimeout(look, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isFetching, isPending } = list.read;

  return (
    <div className="stack">
      <p className="soft">{t('text')}</p>
      <form
        className="posts__bar"
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <Select
          label={t('states')}
          name="show"
          value={show}
          options={postFilters.map((value) => ({ value, label: t(`show.${value}`) }))}
          onChange={(event) =>
            list.setFilter({
              show: postFilters.find((known) => known === event.target.value) ?? 'reported',
              search: typed.trim(),
            })
          }
        />
        <TextInput
          label={t('search')}
          name="search"
          type="search"
          before={<Icon name="search" />}
          value={typed}
          maxLength={longest}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          busy={isFetching && !isPending}
          onClick={() => invalidate('connectPosts', 'connectReports')}
        >
          <Icon name="refresh" />
          {common('refresh')}
        </Button>
      </form>
      <p className="soft" role="status">
        {data && data.total > 0 && t('count', { count: data.total })}
      </p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        count={4}
        empty={{ title: search ? t('noMatch', { query: search }) : t(`empty.${show}`) }}
      >
        {({ posts }) => (
          <ul className="reports">
            {posts.map((post) => (
              <PostCard
                key={post.id}
                screen={screen}
                post={post}
                onAsk={(about) => setAsking({ about, post })}
              />
            ))}
          </ul>
        )}
      </AdminList>
      <PostDialogs
        screen={screen}
        validation={props.words.validation}
        asking={asking}
        onClose={() => setAsking(null)}
      />
    </div>
  );
}
