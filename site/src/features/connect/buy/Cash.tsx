import { money } from '../../../../../api/shared/text.ts';
import type { Language } from '../../../../../locales/languages.ts';
import { Button } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import { usd } from '../credits.ts';
import type { Translate } from './Choose.tsx';
import type { Pack, Purchase } from './useBuying.ts';

type Props = {
  language: Language;
  t: Translate;
  pack: Pack;
  purchase: Purchase;
  title: string;
  busy: boolean;
  onCancel: (id: string) => void;
};

/** Pending cash purchase: amount, recipient, reference, and cancelling. */
export function Cash({
  language,
  t,
  pack,
  purchase: { id, reference, amountUsd, amountXaf, testMode },
  title,
  busy,
  onCancel,
}: Props) {
  const [payee] = pack.methods.find(({ method }) => method === 'cash_partner')?.payTo ?? [];
  const price =
    usd(amountUsd, language) + (amountXaf === null ? '' : ` (${money(amountXaf, language)})`);
  return (
    <Note tone="wait" title={title}>
      <p>
        {payee
          ? t('initiated.pay', { price, payee: payee.payee, reference })
          : t('initiated.payTeam', { reference })}
      </p>
      <p>{t('initiated.text')}</p>
      {testMode && <p className="buy__test">{t('testMode')}</p>}
      <Button compact data-cancel={reference} disabled={busy} onClick={() => onCancel(id)}>
        {t('cancel')}
      </Button>
    </Note>
  );
}
