import type { Asked } from '../admin/address.ts';
import { type AdminScreenProps, useAdminScreen } from '../admin/screen.ts';
import './audit.css';
import { AdminList, useAdminList } from '../admin/list.tsx';
import { AuditEntry } from './AuditEntry.tsx';
import { Filters, filterAsked } from './Filters.tsx';
import type { AuditWords } from './words.ts';

export type AuditLogProps = AdminScreenProps<AuditWords> & { asked: Asked };

/** All admin actions, newest first (product R32). Filters are kept in the address. */
export default function AuditLog({ asked, ...props }: AuditLogProps) {
  const screen = useAdminScreen(props);
  const { t, api, send } = screen;
  const list = useAdminList(screen, {
    key: ['audit'],
    load: (query) => send(api.admin.audit.$get({ query })),
    filter: filterAsked(asked),
    asked,
  });
  const { filter, setFilter } = list;
  const { data } = list.read;
  const filtered = Object.values(filter).some(Boolean);

  return (
    <div className="stack">
      <p className="soft">{t('text')}</p>
      <Filters
        t={t}
        filter={filter}
        subject={
          data?.entries.find(({ subjectId }) => subjectId === filter.subjectId)?.subject ??
          undefined
        }
        onFilter={setFilter}
      />
      <p className="soft" role="status">
        {data && data.total > 0 && t('count', { count: data.total })}
      </p>
      <AdminList
        screen={screen}
        list={list}
        loading={t('loading')}
        failed={t('loadFailed')}
        empty={{ title: filtered ? t('noMatch') : t('empty') }}
      >
        {({ entries, names }) => (
          <ul className="audit">
            {entries.map((entry) => (
              <AuditEntry
                key={entry.id}
                screen={screen}
                words={props.words}
                names={names}
                entry={entry}
                onFilter={(only) => setFilter({ ...filter, ...only })}
              />
            ))}
          </ul>
        )}
      </AdminList>
    </div>
  );
}
