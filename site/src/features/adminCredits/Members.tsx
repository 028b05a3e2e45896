import { useEffect, useState } from 'react';
import { isolate } from '../../../../locales/isolate.ts';
import type { Dictionaries } from '../../../../locales/keys.ts';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { type Asked, keepInAddress } from '../admin/address.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import { CorrectDialog, type Correcting } from './CorrectDialog.tsx';
import type { CreditsScreen, Member } from './credits.ts';
import { Ledger } from './Ledger.tsx';

type Props = { screen: CreditsScreen; validation: Dictionaries['validation']; asked: Asked };

const longest = 200;
/** The API requires two characters, and returns at most 50 members. */
const [shortest, mostShown] = [2, 50];
/** Debounce of the search. */
const typingMs = 300;
const memberAsked = ({ member }: Asked): number | undefined =>
  /^[1-9]\d{0,14}$/.test(member ?? '') ? Number(member) : undefined;

/** Search for members, and the chosen one's ledger. Both are kept in the address. */
export function Members({ screen, validation, asked }: Props) {
  const { t, api, send } = screen;
  const [typed, setTyped] = useState((asked.search ?? '').slice(0, longest));
  const [search, setSearch] = useState(typed.trim());
  const [member, setMember] = useState(memberAsked(asked));
  const [correcting, setCorrecting] = useState<Correcting | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => keepInAddress({ search, member }), [search, member]);

  const enough = search.length >= shortest;
  const read = useAdminRead(
    screen,
    ['creditMembers', search],
    () => send(api.admin.credits.members.$get({ query: { search } })),
    {
      enabled: enough && member === undefined,
    },
  );
  const dialog = (
    <CorrectDialog
      screen={screen}
      validation={validation}
      correcting={correcting}
      onClose={() => setCorrecting(null)}
      onOpened={setMember}
    />
  );
  if (member !== undefined)
    return (
      <>
        <Ledger
          screen={screen}
          number={member}
          onBack={() => setMember(undefined)}
          onCorrect={setCorrecting}
        />
        {dialog}
      </>
    );

  const columns: Column<Member>[] = [
    {
      key: 'name',
      header: t('columns.member'),
      kind: 'main',
      cell: ({ name, email }) => (
        <>
          <bdi className="credits__name">{name}</bdi>
          <bdi className="soft small credits__line">{email}</bdi>
        </>
      ),
    },
    {
      key: 'balance',
      header: t('balance'),
      kind: 'number',
      cell: ({ number, balance }) =>
        number === null ? (
          <span className="soft">{t('unopened')}</span>
        ) : (
          <strong>{t('balanceOf', { count: balance })}</strong>
        ),
    },
    {
      key: 'actions',
      header: t('columns.actions'),
      kind: 'actions',
      cell: ({ userId, name, number, balance }) =>
        number === null ? (
          <Button
            compact
            aria-label={`${t('correct')}: ${isolate(name)}`}
            onClick={() => setCorrecting({ userId, name, balance, seen: 0 })}
          >
            {t('correct')}
          </Button>
        ) : (
          <Button
            compact
            aria-label={`${t('openLedger')}: ${isolate(name)}`}
            onClick={() => setMember(number)}
          >
            {t('openLedger')}
          </Button>
        ),
    },
  ];
  return (
    <div className="stack credits">
      <search className="credits__search">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setSearch(typed.trim());
          }}
        >
          <TextInput
            label={t('search')}
            name="search"
            type="search"
            before={<Icon name="search" />}
            value={typed}
            maxLength={longest}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
      </search>
      {enough ? (
        <ReadState
          read={read}
          loading={t('searching')}
          failed={t('searchFailed')}
          retry={screen.common('retry')}
          empty={{
            when: ({ members }) => members.length === 0,
            title: t('noMatch', { query: search }),
          }}
        >
          {({ members }) => (
            <>
              <DataTable
                caption={t('members')}
                columns={columns}
                rows={members}
                rowKey={({ userId }) => userId}
              />
              {members.length === mostShown && (
                <p className="soft">{t('many', { count: mostShown })}</p>
              )}
            </>
          )}
        </ReadState>
      ) : (
        <EmptyState title={t('searchFirst')} icon="search">
          {t('searchText')}
        </EmptyState>
      )}
      {dialog}
    </div>
  );
}
