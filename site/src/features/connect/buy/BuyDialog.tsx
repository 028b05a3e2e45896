import { useEffect, useMemo, useState } from 'react';
import { clientTranslator } from '../../../../../locales/client.ts';
import { ApiError } from '../../../lib/api.ts';
import { storage } from '../../../lib/storage.ts';
import { toast } from '../../../lib/toast.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { guardDialog } from '../../../ui/guardDialog.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Progress } from '../../../ui/Progress.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { draftPlace } from '../create/draft.ts';
import { usd } from '../credits.ts';
import type { OpenedProps } from '../dialogProps.ts';
import { SignInAgain } from '../SignInAgain.tsx';
import { dialogWords } from '../words.ts';
import { Cash } from './Cash.tsx';
import { Choose, type Payer } from './Choose.tsx';
import { type Method, type Purchase, useBuying } from './useBuying.ts';
import { buyWords } from './words.ts';

/** Buy Credits (product §11, R37, R38): pack, payment methods, and the purchase until it ends. */
export default guardDialog(function BuyDialog({
  language,
  owner,
  links,
  open,
  onClose,
}: OpenedProps) {
  const words = buyWords(language);
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const { close, connection } = dialogWords(language);
  const [chosen, setChosen] = useState<Method>();
  const [payer, setPayer] = useState<Payer>({ phone: '', network: '' });
  // With the dialog closed, a toast reports the outcome.
  const tell = ({ status, creditsAmount }: Purchase) => {
    if (open) return;
    if (status === 'completed')
      toast(t('success.title'), {
        tone: 'good',
        detail: t('success.text', { credits: creditsAmount }),
      });
    if (status === 'failed' || status === 'expired') toast(t('failed.title'), { tone: 'bad' });
  };
  const begun = (method: Method) =>
    method === 'cash_partner' && toast(t('initiated.title'), { tone: 'good' });
  const buying = useBuying({
    language,
    open,
    unanswered: words.unanswered,
    connection,
    onBegun: begun,
    onEnd: tell,
  });
  const { pack, current, limit, buy, cancel, balance } = buying;
  const view = !pack
    ? 'loading'
    : !current || current.status === 'cancelled'
      ? 'choose'
      : current.status === 'pending' && current.purchaseMethod === 'cash_partner'
        ? 'cash'
        : current.status;
  const method = chosen ?? pack?.methods[0]?.method;
  const needsNumber = pack?.methods.some((way) => way.method === method && way.needsNumber);
  const order = () =>
    method &&
    buy.mutate({
      method,
      ...(needsNumber && {
        phone: payer.phone,
        ...(payer.network && { network: payer.network }),
      }),
    });
  const pending = buy.isPending || cancel.isPending;
  const shared = { language, t };
  // Reopening the dialog clears a finished purchase.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is opened
  useEffect(() => {
    if (open && view !== 'pending') buying.forget();
  }, [open]);

  const refused = buy.error ?? cancel.error;
  const toCreate = open && storage.get(draftPlace(owner)) !== null;
  const stop = (id: string) => cancel.mutate(id, { onSuccess: () => toast(t('cancelled')) });

  return (
    <Dialog
      open={open}
      title={t('title')}
      closeLabel={close}
      busy={pending}
      onClose={onClose}
      error={
        refused instanceof ApiError &&
        refused.code !== 'payments.weeklyLimit' && (
          <Refusal
            refused={refused}
            {...{ language, links }}
            title={cancel.error ? t('cancelFailed') : t('failed.title')}
          />
        )
      }
      actions={
        view === 'choose' && pack ? (
          <>
            <Button disabled={pending} onClick={onClose}>
              {t('close')}
            </Button>
            {method && (
              <Button
                variant="primary"
                busy={buy.isPending}
                disabled={limit?.can_purchase === false || cancel.isPending}
                onClick={order}
              >
                {t('pay', { price: usd(pack.amountUsd, language) })}
              </Button>
            )}
          </>
        ) : (
          <>
            {(view === 'failed' || view === 'expired') && (
              <Button onClick={buying.forget}>{t('failed.again')}</Button>
            )}
            {view === 'completed' && toCreate && <ButtonLink href="?new">{t('onward')}</ButtonLink>}
            {view !== 'pending' && view !== 'loading' && (
              <ButtonLink href={`${links.connect}/credits`}>{t('statement')}</ButtonLink>
            )}
            <Button
              variant={view === 'completed' || view === 'cash' ? 'primary' : 'quiet'}
              disabled={pending}
              onClick={onClose}
            >
              {t(view === 'completed' || view === 'cash' ? 'done' : 'close')}
            </Button>
          </>
        )
      }
    >
      {/* The content loads later: keep the focus here instead of on a passing element. */}
      <div className="buy" tabIndex={-1} data-first="">
        <div className="buy__state" role="status">
          {view === 'loading' &&
            (buying.failed ? (
              <Note
                tone="bad"
                title={t('loadFailed')}
                action={
                  <Button compact onClick={buying.again}>
                    {t('retry')}
                  </Button>
                }
              >
                {buying.failed.message}
              </Note>
            ) : (
              <Spinner label={dialogWords(language).loading} />
            ))}
          {view === 'pending' && current && (
            <>
              <Progress label={t('running')} />
              {current.purchaseMethod !== 'cash_partner' && (
                <p>{t(`runningText.${current.purchaseMethod}`)}</p>
              )}
              {current.expiresAt && (
                <p>
                  {t('number.leftMinutes', {
                    count: minutesUntil(current.expiresAt),
                  })}
                </p>
              )}
              {current.testMode && <p className="buy__test">{t('testMode')}</p>}
            </>
          )}
          {view === 'completed' && current && (
            <Note tone="good" title={t('success.title')}>
              <p>{t('success.text', { credits: current.creditsAmount })}</p>
              {balance !== undefined && <p>{t('balance', { count: balance })}</p>}
            </Note>
          )}
          {(view === 'failed' || view === 'expired') && current && (
            <Note tone="bad" title={t('failed.title')}>
              {current.closedReason ??
                (current.failure
                  ? t(`failures.${current.failure}`)
                  : t(view === 'expired' ? 'expired' : 'failed.text'))}
            </Note>
          )}
          {view === 'cash' && pack && current && (
            <Cash
              {...shared}
              pack={pack}
              purchase={current}
              busy={pending}
              onCancel={stop}
              title={t('waiting')}
            />
          )}
        </div>
        {view === 'choose' && pack && (
          <>
            {limit?.can_purchase === false && (
              <Note tone="wait" title={t('limit.title')}>
                <p>{t('limit.text', { limit: limit.weekly_limit })}</p>
                <p>{t('limit.days', { count: limit.days_left })}</p>
              </Note>
            )}
            {buying.waiting.map((purchase) => (
              <Cash
                key={purchase.id}
                {...shared}
                pack={pack}
                purchase={purchase}
                busy={pending}
                onCancel={stop}
                title={t('waiting')}
              />
            ))}
            <Choose
              {...shared}
              pack={pack}
              balance={balance}
              limit={limit}
              method={method}
              onMethod={setChosen}
              payer={payer}
              onPayer={setPayer}
              busy={pending}
            />
          </>
        )}
      </div>
    </Dialog>
  );
});

const minutesUntil = (moment: string): number =>
  Math.max(1, Math.ceil((new Date(moment).getTime() - Date.now()) / 60_000));

function Refusal({
  refused,
  title,
  language,
  links,
}: { refused: ApiError; title: string } & Pick<OpenedProps, 'language' | 'links'>) {
  if (refused.code === 'signInRequired') return <SignInAgain language={language} links={links} />;
  return (
    <>
      <strong>{title}</strong>
      {refused.message !== title && <p>{refused.message}</p>}
    </>
  );
}
