import type { Dispatch, SetStateAction } from 'react';
import { prices } from '../../../../../api/credits/rules.ts';
import { rateIn } from '../../../../../api/payments/rules.ts';
import { money } from '../../../../../api/shared/text.ts';
import { paymentNetworks, purchaseMethods } from '../../../../../db/vocabularies.ts';
import type { clientTranslator } from '../../../../../locales/client.ts';
import type { Language } from '../../../../../locales/languages.ts';
import { number } from '../../../lib/format.ts';
import { Select, TextInput } from '../../../ui/Field.tsx';
import { Note } from '../../../ui/Note.tsx';
import { priceDay, usd } from '../credits.ts';
import { type Method, networkOf, type Order, type Pack } from './useBuying.ts';
import type { buyWords } from './words.ts';

/** Brand names, the same in both languages. */
const networks = { mtn_momo: 'MTN MoMo', orange_money: 'Orange Money' } as const;
export type Translate = ReturnType<typeof clientTranslator<ReturnType<typeof buyWords>>>;
type Props = {
  language: Language;
  t: Translate;
  pack: Pack;
  balance: number | undefined;
  limit: { remaining_limit: number; can_purchase: boolean } | undefined;
  method: Method | undefined;
  onMethod: (method: Method) => void;
  payer: Payer;
  onPayer: Dispatch<SetStateAction<Payer>>;
  busy: boolean;
};
export type Payer = { phone: string; network: NonNullable<Order['network']> | '' };

/** Pack with its price in both currencies, and all payment methods, disabled ones included. */
export function Choose({
  language,
  t,
  pack,
  balance,
  limit,
  method,
  onMethod,
  payer,
  onPayer,
  busy,
}: Props) {
  const { credits, amountUsd, amountXaf, xafRate, xafFrom } = pack;
  const way = pack.methods.find((open) => open.method === method);
  const isOpen = (name: Method) => pack.methods.some((open) => open.method === name);
  // Cards cannot be settled in Cameroon yet: only the demo shows them.
  const isShown = (name: Method) => name !== 'stripe' || isOpen(name);
  const [payee] = way?.payTo ?? [];
  return (
    <>
      <div className="buy__pack">
        <span className="buy__coin" aria-hidden="true">
          {number(credits, language)}
        </span>
        <div>
          <strong>{t('pack', { credits })}</strong>
          <p className="buy__price">
            {usd(amountUsd, language)}
            {amountXaf !== null && <> · {money(amountXaf, language)}</>}
          </p>
          <p className="buy__small">
            {t('each', { price: usd(amountUsd / credits, language) })}
            {xafRate !== null && xafFrom !== null && (
              <>
                {' · '}
                {t('day', { rate: rateIn(xafRate, language), day: priceDay(xafFrom, language) })}
              </>
            )}
          </p>
        </div>
      </div>
      {pack.methods.some(({ testMode }) => testMode) && (
        <p className="buy__test">{t('testMode')}</p>
      )}
      <p className="buy__small">
        {t('forever')}{' '}
        {t('prices', { post: prices.post, response: prices.response, update: prices.post_update })}{' '}
        {balance !== undefined && t('balance', { count: balance })}
        {limit?.can_purchase && <> {t('left', { amount: usd(limit.remaining_limit, language) })}</>}
      </p>
      {pack.methods.length === 0 ? (
        <Note tone="wait">{t('noneOpen')}</Note>
      ) : (
        <fieldset className="buy__ways">
          <legend>{t('how')}</legend>
          {purchaseMethods.filter(isShown).map((name) => (
            <label
              key={name}
              className="buy__way"
              data-chosen={method === name || undefined}
              data-off={busy || !isOpen(name) || undefined}
            >
              <input
                type="radio"
                name="method"
                value={name}
                checked={method === name}
                disabled={busy || !isOpen(name)}
                onChange={() => onMethod(name)}
              />
              <span>
                <strong>{t(`methods.${name}`)}</strong>
                <span className="buy__small">
                  {isOpen(name) ? t(`methodText.${name}`) : t('notOpen')}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {way?.needsNumber && (
        <div className="buy__payer">
          <TextInput
            required
            label={t('number.label')}
            hint={t('number.hint')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            value={payer.phone}
            disabled={busy}
            onChange={({ target }) => onPayer({ phone: target.value, network: '' })}
            onBlur={async () => {
              const { phone } = payer;
              const network = await networkOf(language, phone);
              if (network)
                onPayer((now) =>
                  now.phone === phone && now.network === '' ? { ...now, network } : now,
                );
            }}
          />
          <Select
            label={t('number.network')}
            name="network"
            value={payer.network}
            disabled={busy}
            options={[
              { value: '', label: t('number.auto') },
              ...paymentNetworks.map((value) => ({ value, label: networks[value] })),
            ]}
            onChange={({ target }) =>
              onPayer({
                ...payer,
                network: paymentNetworks.find((known) => known === target.value) ?? '',
              })
            }
          />
        </div>
      )}
      {method === 'cash_partner' && (
        <p>
          {payee
            ? t(payee.number ? 'payToNumber' : 'payTo', {
                payee: payee.payee,
                number: payee.number,
              })
            : t('payToTeam')}
        </p>
      )}
    </>
  );
}
