import { useId } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { productName } from '../admin/productName.ts';
import { useAdminRead } from '../admin/screen.ts';
import { ContactNote } from './Facts.tsx';
import type { ReviewScreen } from './pending.ts';

/** Products in stalls whose stored texts have a phone number or a link; empty without any. */
export function Flagged({ screen, edit }: { screen: ReviewScreen; edit: string }) {
  const { t, api, send } = screen;
  const titleId = useId();
  const { data } = useAdminRead(screen, ['changes'], () => send(api.admin.products.edits.$get()));
  if (!data || data.flagged.length === 0) return null;
  return (
    <section className="stack" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>{t('flaggedTitle')}</h2>
        <p className="soft">{t('flaggedText')}</p>
      </div>
      <ul className="pending">
        {data.flagged.map((product) => (
          <li key={product.id} className="submission submission--change">
            <div className="submission__words">
              <h3 dir="auto">{productName(product, screen)}</h3>
              <p className="soft">{t('inSlot', { slot: slotNumber(product.slotId) })}</p>
              <ContactNote fields={product.fields} t={t} />
            </div>
            <div className="submission__actions">
              <ButtonLink href={`${edit}${product.id}/edit`}>{t('flaggedEdit')}</ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
