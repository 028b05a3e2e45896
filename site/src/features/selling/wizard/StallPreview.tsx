import { regionOf } from '../../../../../api/shared/places/regionOf.ts';
import { placeParts } from '../../../../../api/shared/places/regions.ts';
import { slotNumber } from '../../../../../api/shared/slots.ts';
import { productLanguages } from '../../../../../locales/languages.ts';
import { priceText } from '../../../lib/format.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { asKept, priceOf } from './draft.ts';
import type { Photo } from './photos.ts';
import type { StepProps } from './step.ts';
import '../../../ui/stall.css';
import '../../../ui/plate.css';
import './preview.css';

export function StallPreview({
  language,
  words,
  t,
  photos,
  ...step
}: Pick<StepProps, 'language' | 'words' | 't' | 'answers'> & { photos: readonly Photo[] }) {
  const answers = asKept(step.answers);
  const first = answers.sameText ? 'fr' : language;
  const order = [...productLanguages].sort((a, b) => Number(b === first) - Number(a === first));
  const filled = (text: 'name' | 'description') =>
    order.map((known) => answers[`${text}.${known}`]).find(Boolean);
  const [name, description] = [filled('name'), filled('description')];
  const price = priceText(priceOf(answers.price), language);
  const region = regionOf(answers.sellerLocation);
  const where = placeParts(
    [answers.sellerLocation],
    region,
    region && words.place.regions[region],
  ).join(', ');
  const featured = answers.listingType === 'featured';
  const cover = photos[0];
  const slot =
    featured && answers.preferredFeaturedSlot ? slotNumber(answers.preferredFeaturedSlot) : '··';
  return (
    <figure className="preview">
      <figcaption className="soft small">{t('review.preview')}</figcaption>
      <div className="stall">
        {featured && <span className="woven" aria-hidden="true" />}
        <div className="stall__picture">
          {cover ? (
            <img src={cover.src} alt="" data-failed={t('imageUnavailable')} />
          ) : (
            <span className="stall__none">{t('noImage')}</span>
          )}
        </div>
        <div className="stall__body">
          <div className="stall__board">
            <span className="plate">#{slot}</span>
            <span className="preview__time">
              {t('duration.hours', { count: answers.durationHours })}
            </span>
          </div>
          <h3 dir="auto">{name || words.unnamed}</h3>
          <p className="stall__text" dir="auto">
            {description || words.undescribed}
          </p>
          {price && <p className="stall__price">{price}</p>}
          {where && (
            <p className="stall__place">
              <Icon name="pin" />
              <bdi>{where}</bdi>
            </p>
          )}
        </div>
      </div>
    </figure>
  );
}
