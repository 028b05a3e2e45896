import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import { answerDays, closing, newRequest, requestLimits } from '../../../../api/legal/schema.ts';
import { dataRequestKinds } from '../../../../db/vocabularies.ts';
import { type ApiClient, isRefused } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Select, TextArea, TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useAction } from '../actions/useAction.ts';
import { FormDialog } from '../admin/FormDialog.tsx';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import type { ReportsScreen } from './reports.ts';
import type { ReportWords } from './words.ts';

type Read = InferResponseType<ApiClient['admin']['legal']['requests']['$get'], 200>;
type DataRequest = Read['requests'][number];
type Props = { screen: ReportsScreen; words: ReportWords };

const dayMs = 86_400_000;
const isOutdated = isRefused('conflict');

/** Requests to see, correct or delete data that came by mail, each with its clock of 30 days. */
export function DataRequests({ screen, words }: Props) {
  const { t, common, api, send, signIn, language } = screen;
  const { requests } = api.admin.legal;
  const [asks, setAsks] = useState<DataRequest | 'new'>();
  const read = useAdminRead<Read>(screen, ['dataRequests'], () => send(requests.$get()));
  const shared = {
    signIn,
    isOutdated,
    close: () => setAsks(undefined),
    invalidates: [['dataRequests']],
    failure: (error: Error) => ({ title: t('data.failed'), description: messageOf(error) }),
  };
  const record = useAction({
    ...shared,
    call: (json: Parameters<typeof requests.$post>[0]['json']) =>
      send<object>(requests.$post({ json })),
    success: () => t('data.recorded'),
  });
  const close = useAction({
    ...shared,
    call: ({ id, outcome }: { id: number; outcome: string }) =>
      send<object>(requests[':id'].close.$post({ param: { id: String(id) }, json: { outcome } })),
    success: () => t('data.closed'),
  });
  return (
    <div className="stack">
      <p className="soft">{t('data.text', { days: answerDays })}</p>
      <div className="row">
        <Button onClick={() => setAsks('new')}>
          <Icon name="plus" />
          {t('data.record')}
        </Button>
      </div>
      <ReadState
        read={read}
        loading={t('loading')}
        failed={t('loadFailed')}
        retry={common('retry')}
        shape="card"
        count={2}
      >
        {({ requests: all }) =>
          all.length === 0 ? (
            <EmptyState title={t('data.empty')} icon="note" />
          ) : (
            <ul className="reports">
              {all.map((request) => (
                <li key={request.id} className="reported panel">
                  <div className="row row--apart reported__head">
                    <h2 dir="auto">{request.person}</h2>
                    <Clock {...request} t={t} />
                  </div>
                  <p className="row soft small">
                    <span>{t(`data.kinds.${request.kind}`)}</span>
                    <span>
                      {t('data.received', { date: dateTime(request.receivedAt, language, 'date') })}
                    </span>
                  </p>
                  {request.note && <p dir="auto">{request.note}</p>}
                  {request.outcome && (
                    <p dir="auto">{t('data.outcomeOf', { outcome: request.outcome })}</p>
                  )}
                  {!request.closedAt && (
                    <div className="row reported__acts">
                      <Button onClick={() => setAsks(request)}>{t('data.close')}</Button>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </ReadState>
      <FormDialog
        {...{ screen, validation: words.validation, isOutdated }}
        open={asks === 'new'}
        title={t('data.record')}
        text={t('data.recordText')}
        submit={t('data.record')}
        schema={newRequest}
        send={(json) => record.mutateAsync(json)}
        onClose={() => setAsks(undefined)}
      >
        {(field) => (
          <>
            <Select
              {...field('kind')}
              label={t('data.kind')}
              options={dataRequestKinds.map((kind) => ({
                value: kind,
                label: t(`data.kinds.${kind}`),
              }))}
            />
            <TextInput
              {...field('person')}
              required
              label={t('data.person')}
              hint={t('data.personHint')}
              maxLength={requestLimits.person}
              autoComplete="off"
            />
            <TextInput {...field('received')} required type="date" label={t('data.day')} />
            <TextArea {...field('note')} label={t('data.note')} maxLength={requestLimits.note} />
          </>
        )}
      </FormDialog>
      <FormDialog
        {...{ screen, validation: words.validation, isOutdated }}
        open={typeof asks === 'object'}
        title={t('data.closeTitle', { person: typeof asks === 'object' ? asks.person : '' })}
        text={t('data.closeText')}
        submit={t('data.close')}
        schema={closing}
        send={({ outcome }) =>
          close.mutateAsync({ id: typeof asks === 'object' ? asks.id : 0, outcome })
        }
        onClose={() => setAsks(undefined)}
      >
        {(field) => (
          <TextArea
            {...field('outcome')}
            required
            label={t('data.outcome')}
            maxLength={requestLimits.note}
          />
        )}
      </FormDialog>
    </div>
  );
}

/** Days left of a request, or how late it is. */
function Clock({ dueAt, closedAt, t }: DataRequest & { t: ReportsScreen['t'] }) {
  if (closedAt) return <Badge tone="good">{t('data.closed')}</Badge>;
  const days = Math.ceil((Date.parse(dueAt) - Date.now()) / dayMs);
  return days < 0 ? (
    <Badge tone="bad" icon="warning">
      {t('data.late', { count: -days })}
    </Badge>
  ) : (
    <Badge tone={days <= 7 ? 'wait' : 'info'} icon="clock">
      {t('data.left', { count: days })}
    </Badge>
  );
}
