import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import { money } from '../../../../api/shared/text.ts';
import type { ApiClient } from '../../lib/api.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import type { CreditsScreen } from './credits.ts';

type Compared = InferResponseType<
  ApiClient['admin']['credits']['purchases']['reconcile']['$post'],
  200
>;
type Row = Compared['rows'][number];

/** Compares a day with the provider's list, a file that is chosen here. */
export function Reconcile({ screen }: { screen: CreditsScreen }) {
  const { t, api, send, signIn } = screen;
  const [day, setDay] = useState(() =>
    new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  );
  const [file, setFile] = useState<File>();
  const compare = useAction({
    signIn,
    call: async ({ list, of }: { list: File; of: string }) =>
      send(
        api.admin.credits.purchases.reconcile.$post({ json: { day: of, csv: await list.text() } }),
      ),
  });
  return (
    <section className="stack" aria-labelledby="reconcile">
      <h2 id="reconcile">{t('reconcile.title')}</h2>
      <p className="soft">{t('reconcile.text')}</p>
      <form
        className="credits__compare"
        onSubmit={(event) => {
          event.preventDefault();
          if (file) compare.mutate({ list: file, of: day });
        }}
      >
        <TextInput
          label={t('reconcile.day')}
          type="date"
          required
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <TextInput
          label={t('reconcile.file')}
          type="file"
          required
          accept=".csv"
          error={compare.error && messageOf(compare.error)}
          onChange={({ target }) => {
            compare.reset();
            setFile(target.files?.[0]);
          }}
        />
        <Button type="submit" variant="primary" busy={compare.isPending}>
          {t('reconcile.compare')}
        </Button>
      </form>
      <div role="status" className="stack">
        {compare.data && <Summary screen={screen} compared={compare.data} />}
      </div>
      {compare.data && compare.data.rows.length > 0 && (
        <Differences screen={screen} rows={compare.data.rows} />
      )}
    </section>
  );
}

function Summary({ screen: { t }, compared }: { screen: CreditsScreen; compared: Compared }) {
  const { differences, rows, ...counts } = compared;
  return (
    <>
      <p>
        <Badge tone={differences === 0 ? 'good' : 'bad'}>
          {differences === 0 ? t('reconcile.same') : t('reconcile.differ', { count: differences })}
        </Badge>
      </p>
      <p className="soft">{t('reconcile.counts', counts)}</p>
      {rows.length < differences && <p>{t('reconcile.more', { count: rows.length })}</p>}
    </>
  );
}

function Differences({ screen, rows }: { screen: CreditsScreen; rows: readonly Row[] }) {
  const { t, api, send, signIn, language } = screen;
  const again = useAction({
    signIn,
    call: (id: string) => send(api.admin.credits.purchases[':id'].ask.$post({ param: { id } })),
    success: ({ status, reference }) => ({
      title: t('askDone'),
      description: t('askState', { name: reference, state: t(`state.${status}`) }),
    }),
    failure: (error) => ({ title: t('askFailed'), description: messageOf(error) }),
    invalidates: [['purchases'], ['creditJournal']],
  });
  const sumText = ({ amount, currency }: { amount: number; currency: string }, moved: boolean) =>
    t(moved ? 'reconcile.moved' : 'reconcile.unmoved', {
      amount: currency === 'XAF' ? money(amount, language) : `${amount} ${currency}`,
    });
  return (
    <DataTable
      caption={t('reconcile.title')}
      rows={rows}
      rowKey={({ why, ours, theirs }) => [why, ours?.reference, theirs?.line].join()}
      columns={[
        {
          key: 'why',
          header: t('reconcile.columns.why'),
          kind: 'main',
          cell: ({ why }) => (
            <>
              {t(`reconcile.why.${why}`)}
              <span className="soft small credits__line">{t(`reconcile.advice.${why}`)}</span>
            </>
          ),
        },
        {
          key: 'what',
          header: t('reconcile.columns.what'),
          cell: ({ kind, ours, theirs }) => (
            <>
              {kind && t(`journal.kinds.${kind}`)}{' '}
              <code className="credits__line">{ours?.reference ?? theirs?.id}</code>
            </>
          ),
        },
        {
          key: 'here',
          header: t('reconcile.columns.here'),
          cell: ({ ours }) => (ours ? sumText(ours, ours.at !== null) : '–'),
        },
        {
          key: 'there',
          header: t('reconcile.columns.there'),
          cell: ({ theirs }) =>
            theirs ? (
              <>
                {sumText(theirs, theirs.moved)}{' '}
                <span className="soft small">{t('reconcile.line', { line: theirs.line })}</span>
              </>
            ) : (
              '–'
            ),
        },
        {
          key: 'actions',
          header: t('columns.actions'),
          kind: 'actions',
          cell: ({ why, kind, ours }) =>
            why === 'state' &&
            kind === 'payment' &&
            ours?.at === null && (
              <Button
                compact
                busy={again.isPending && again.variables === ours.purchase}
                aria-label={`${t('ask')}: ${ours.reference}`}
                onClick={() => again.mutate(ours.purchase)}
              >
                {t('ask')}
              </Button>
            ),
        },
      ]}
    />
  );
}
