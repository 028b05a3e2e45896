import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { type Asked, keepInAddress, pageAsked } from '../admin/address.ts';
import { type DeskProps, ReadState, useDesk, useRead } from '../admin/desk.tsx';
import './audit.css';
import { ListPages } from '../admin/ListPages.tsx';
import { AuditEntry } from './AuditEntry.tsx';
import { type Filter, Filters, filterAsked } from './Filters.tsx';
import type { AuditWords } from './words.ts';

export type AuditLogProps = DeskProps<AuditWords> & { asked: Asked };

/** Every admin action, newest first: who, what, on what, when, before and after (product R32). Filters stay in the address. */
export default function AuditLog({ asked, ...props }: AuditLogProps) {
  const desk = useDesk(props);
  const { t, d, api } = desk;
  const [{ filter, page }, setShown] = useState({ filter: filterAsked(asked), page: pageAsked(asked) });
  const show = (next: { filter: Filter; page: number }) => {
    setShown(next);
    const { actor, action, subjectKind, subjectId, from, to } = next.filter;
    keepInAddress({ actor, action, subjectKind, subjectId, from, to, page: next.page });
  };
  const list = useRead(['audit', filter, page], () => unwrap(api.admin.audit.$get({ query: { ...filter, page: String(page) } }), d('connection')), desk, {
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  const filtered = Object.values(filter).some(Boolean);

  return (
    <div className="stack">
      <p className="soft">{t('text')}</p>
      <Filters t={t} filter={filter} onFilter={(next) => show({ filter: next, page: 1 })} />
      <p className="soft" role="status">
        {data && data.total > 0 && t('count', { count: data.total })}
      </p>
      <ReadState
        read={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={d('retry')}
        empty={{ when: ({ total }) => total === 0, title: filtered ? t('noMatch') : t('empty') }}
      >
        {({ entries }) => (
          <ul className="audit">
            {entries.map((entry) => (
              <AuditEntry key={entry.id} desk={desk} entry={entry} onFilter={(only) => show({ filter: { ...filter, ...only }, page: 1 })} />
            ))}
          </ul>
        )}
      </ReadState>
      <ListPages read={list} page={page} onPage={(next) => show({ filter, page: next })} t={d} />
    </div>
  );
}
