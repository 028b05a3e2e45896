import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { dateTime, number as grouped } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { useAdminRead } from '../admin/screen.ts';
import type { Correcting } from './CorrectDialog.tsx';
import { type CreditsScreen, type Entry, signed } from './credits.ts';

type Props = {
  screen: CreditsScreen;
  number: number;
  onBack: () => void;
  onCorrect: (correcting: Correcting) => void;
};

/** A member's ledger, newest first, with balances, the state of its hash chain, and corrections. */
export function Ledger({ screen, number, onBack, onCorrect }: Props) {
  const { t, common, api, send, language } = screen;
  const [before, setBefore] = useState<number>();
  const read = useAdminRead(
    screen,
    ['creditLedger', number, before],
    () =>
      send(
        api.admin.credits.members[':number'].$get({
          param: { number: String(number) },
          query: before === undefined ? {} : { before: String(before) },
        }),
      ),
    { placeholderData: keepPreviousData },
  );
  const columns: Column<Entry>[] = [
    {
      key: 'kind',
      header: t('entry.kind'),
      kind: 'main',
      cell: ({ kind, referenceType, serial }) => (
        <>
          {t(`kinds.${kind}`)}
          {referenceType && ` · ${t(`spentOn.${referenceType}`)}`}{' '}
          <span className="soft small credits__number">
            {t('entryNumber', { number: String(serial) })}
          </span>
        </>
      ),
    },
    {
      key: 'amount',
      header: t('entry.amount'),
      kind: 'number',
      cell: ({ amount }) => <strong>{signed(amount, language)}</strong>,
    },
    {
      key: 'balance',
      header: t('entry.balance'),
      kind: 'number',
      cell: ({ balance }) => grouped(balance, language),
    },
    { key: 'when', header: t('entry.when'), cell: ({ at }) => dateTime(at, language) },
    {
      key: 'why',
      header: t('entry.why'),
      cell: ({ reason, by }) =>
        reason && (
          <bdi className="credits__line">{by ? t('by', { reason, name: by }) : reason}</bdi>
        ),
    },
  ];
  return (
    <div className="stack credits">
      <div>
        <Button variant="bare" onClick={onBack}>
          <Icon name="left" />
          {t('back')}
        </Button>
      </div>
      <ReadState
        read={read}
        loading={t('ledgerLoading')}
        failed={t('ledgerFailed')}
        retry={common('retry')}
      >
        {({ userId, name, email, balance, whole, entries, next }) => {
          const who = name ?? t('memberNumber', { number: String(number) });
          return (
            <>
              <div className="panel credits__head">
                <div>
                  <h2 dir="auto">{t('ledgerOf', { name: who })}</h2>
                  <p className="soft small credits__line">
                    {t('memberNumber', { number: String(number) })} ·{' '}
                    <bdi>{email ?? t('accountGone')}</bdi>
                  </p>
                  {whole && (
                    <Badge tone="good" icon="check">
                      {t('whole')}
                    </Badge>
                  )}
                </div>
                <p className="credits__balance">{t('balanceOf', { count: balance })}</p>
                {userId !== null && before === undefined && (
                  <Button
                    variant="primary"
                    onClick={() =>
                      onCorrect({ userId, name: who, balance, seen: entries[0]?.serial ?? 0 })
                    }
                  >
                    {t('correct')}
                  </Button>
                )}
              </div>
              {whole === false && (
                <Note tone="bad" title={t('broken')}>
                  {t('brokenText')}
                </Note>
              )}
              {entries.length === 0 ? (
                <p className="soft">{t('ledgerEmpty')}</p>
              ) : (
                <DataTable
                  caption={t('ledgerOf', { name: who })}
                  columns={columns}
                  rows={entries}
                  rowKey={({ id }) => id}
                />
              )}
              <div className="row">
                {before !== undefined && (
                  <Button busy={read.isFetching} onClick={() => setBefore(undefined)}>
                    <Icon name="left" />
                    {t('newest')}
                  </Button>
                )}
                {next !== null && (
                  <Button busy={read.isFetching} onClick={() => setBefore(next)}>
                    {t('older')}
                    <Icon name="right" />
                  </Button>
                )}
              </div>
            </>
          );
        }}
      </ReadState>
    </div>
  );
}
