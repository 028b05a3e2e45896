import { textFor } from '../../../../api/shared/text.ts';
import { productLanguages } from '../../../../locales/languages.ts';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { productName } from '../admin/productName.ts';
import { ApproveOrComplete, ContactNote, Facts, Obstacle } from './Facts.tsx';
import { Picture } from './Picture.tsx';
import type { Pending, Spoken } from './pending.ts';

type Act = (product: Pending) => void;
const most = 4;

/** Card of a submission with up to four images and its actions. */
export function PendingCard({
  product,
  language,
  t,
  edit,
  chosen,
  onChoose,
  onPreview,
  onApprove,
  onReject,
}: Spoken & {
  product: Pending;
  edit: string | undefined;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
  onPreview: Act;
  onApprove: Act;
  onReject: Act;
}) {
  const name = productName(product, { language, t });
  const other = productLanguages
    .map((known) => textFor(product.name, known))
    .find((text) => text && text !== name);
  const total = product.images.length;
  return (
    <li className="submission" data-chosen={chosen || undefined}>
      <label className="submission__choose">
        <input
          type="checkbox"
          checked={chosen}
          aria-label={t('select', { name })}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </label>
      <div className="submission__images">
        {product.images.slice(0, most).map((photo, order) => (
          <Picture
            key={photo.src}
            photo={photo}
            width={320}
            alt={t('pictureOf', { name, number: order + 1, total })}
            failed={t('imageUnavailable')}
          />
        ))}
        {total === 0 && <span className="picture picture--none">{t('noImage')}</span>}
        {total > most && (
          <span className="submission__more">{t('moreImages', { more: total - most })}</span>
        )}
      </div>
      <div className="submission__words">
        <h2 dir="auto">{name}</h2>
        {other && (
          <p className="submission__other" dir="auto">
            {other}
          </p>
        )}
        <Facts product={product} language={language} t={t} />
        <ContactNote fields={product.contactFields} t={t} />
        <Obstacle product={product} t={t} />
        <p className="soft small">
          {t('submitted', { date: dateTime(product.createdAt, language) })}
        </p>
      </div>
      <div className="submission__actions">
        <ApproveOrComplete {...{ product, t, edit, onApprove }} />
        <Button onClick={() => onReject(product)}>{t('reject')}</Button>
        <Button variant="bare" onClick={() => onPreview(product)}>
          {t('preview')}
        </Button>
      </div>
    </li>
  );
}
