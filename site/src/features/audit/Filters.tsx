import { useEffect, useRef, useState } from 'react';
import { subjectKinds } from '../../../../db/vocabularies.ts';
import type { clientTranslator } from '../../../../locales/client.ts';
import { Button } from '../../ui/Button.tsx';
import { Select, TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Asked } from '../admin/address.ts';
import { actionSentences } from './actions.ts';
import type { AuditWords } from './words.ts';

export type SubjectKind = (typeof subjectKinds)[number];
/** Filter of the audit log. Days are dates in Douala, as in the API. */
export type Filter = {
  actor?: string;
  action?: string;
  subjectKind?: SubjectKind;
  subjectId?: string;
  from?: string;
  to?: string;
};
export type SayAudit = ReturnType<typeof clientTranslator<AuditWords>>;

const longest = 200;
/** Debounce of the search. */
const typingMs = 300;

/** Filter in an address, without values the API would refuse. */
export function filterAsked({ actor, action, subjectKind, subjectId, from, to }: Asked): Filter {
  const text = (value: string | undefined) => value?.slice(0, longest);
  const day = (value: string | undefined) =>
    value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
      ? value
      : undefined;
  const found = {
    actor: text(actor),
    action: text(action),
    subjectKind: subjectKinds.find((known) => known === subjectKind),
    subjectId: text(subjectId),
    from: day(from),
    to: day(to),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value)) as Filter;
}

type FiltersProps = {
  t: SayAudit;
  filter: Filter;
  /** Name of the filtered subject, if known. */
  subject: string | undefined;
  onFilter: (filter: Filter) => void;
};

export function Filters({ t, filter, subject, onFilter }: FiltersProps) {
  const [actor, setActor] = useState(filter.actor ?? '');
  // Several fields may change in one render: those filled in before hydration.
  const wanted = useRef(filter);
  wanted.current = filter;
  const change = (next: Filter) => {
    wanted.current = without(next);
    onFilter(wanted.current);
  };
  const look = () => {
    if (actor.trim() !== (filter.actor ?? '')) change({ ...wanted.current, actor: actor.trim() });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another letter restarts the pause.
  useEffect(() => {
    const timer = setTimeout(look, typingMs);
    return () => clearTimeout(timer);
  }, [actor]);
  const set = (name: keyof Filter) => (event: { target: { value: string } }) =>
    change({ ...wanted.current, [name]: event.target.value });
  const actions = Object.entries(actionSentences).map(([value, key]) => ({
    value,
    label: t(`actions.${key}`),
  }));
  // Offers an unknown action of the address by its raw name.
  if (filter.action && !actions.some(({ value }) => value === filter.action))
    actions.push({ value: filter.action, label: filter.action });

  return (
    <form
      className="panel audit__filters"
      onSubmit={(event) => {
        event.preventDefault();
        look();
      }}
    >
      <TextInput
        label={t('who')}
        name="actor"
        placeholder={t('whoHint')}
        value={actor}
        maxLength={longest}
        autoComplete="off"
        onChange={(event) => setActor(event.target.value)}
      />
      <Select
        label={t('filter')}
        name="action"
        placeholder={t('all')}
        value={filter.action ?? ''}
        options={actions}
        onChange={set('action')}
      />
      <Select
        label={t('kind')}
        name="subjectKind"
        placeholder={t('allKinds')}
        value={filter.subjectKind ?? ''}
        options={subjectKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={(event) => {
          // Ids of another kind differ.
          const { subjectId: _, ...rest } = wanted.current;
          change({ ...rest, subjectKind: event.target.value as SubjectKind });
        }}
      />
      <TextInput
        label={t('from')}
        name="from"
        type="date"
        value={filter.from ?? ''}
        {...(filter.to ? { max: filter.to } : {})}
        onChange={set('from')}
      />
      <TextInput
        label={t('to')}
        name="to"
        type="date"
        value={filter.to ?? ''}
        {...(filter.from ? { min: filter.from } : {})}
        onChange={set('to')}
      />
      {Object.keys(filter).length > 0 && (
        <div className="row audit__chosen">
          {filter.subjectId && (
            <span className="small" title={filter.subjectId}>
              {t('subjectOnly', {
                subject:
                  subject ??
                  `${filter.subjectKind ? t(`kinds.${filter.subjectKind}`) : ''} ${filter.subjectId}`.trim(),
              })}
            </span>
          )}
          <Button
            compact
            onClick={() => {
              setActor('');
              change({});
            }}
          >
            <Icon name="close" />
            {t('clear')}
          </Button>
        </div>
      )}
    </form>
  );
}

const without = (filter: Filter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as Filter;
