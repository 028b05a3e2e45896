import type { ReactNode } from 'react';
import { listingFee } from '../../../../../api/listings/rules.ts';
import { hasCondition } from '../../../../../api/products/schema.ts';
import { phoneText, readPhone } from '../../../../../api/shared/contact/readPhone.ts';
import { slotNumber } from '../../../../../api/shared/slots.ts';
import { money } from '../../../../../api/shared/text.ts';
import { categories, conditions, paymentMethods } from '../../../../../db/vocabularies.ts';
import { number } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Note.tsx';
import { asKept, type EditedProduct, priceOf } from './draft.ts';
import type { PhotoState } from './photos.ts';
import { StallPreview } from './StallPreview.tsx';
import type { StepProps } from './step.ts';
import { type Step, stepsFor } from './steps.ts';
import { asksPrice } from './useSubmission.ts';
import './review.css';

type Props = StepProps & {
  state: PhotoState;
  isAdmin: boolean;
  product?: EditedProduct | undefined;
  goTo: (step: Step) => void;
};

export function ReviewStep({ state, isAdmin, product, goTo, ...step }: Props) {
  const { language, words, t } = step;
  const answers = asKept(step.answers);
  const none = <span className="soft">{t('review.notGiven')}</span>;
  const price = priceOf(answers.price);
  const amount = price !== undefined && !Number.isNaN(price) && number(price, language);
  const onlyPrice = asksPrice(product);
  const asked = (name: Step) => stepsFor(product).includes(name);
  const category = categories.find((known) => known === answers.category);
  const condition = conditions.find((known) => known === answers.condition);
  const method = paymentMethods.find((known) => known === answers.paymentMethod);

  const part = (
    name: Step,
    rows: readonly (readonly [string, ReactNode, string?])[],
    title = t(`steps.${name}`),
  ) => (
    <section className="review__part">
      <header className="row row--apart">
        <h3>{title}</h3>
        <Button
          compact
          variant="bare"
          aria-label={t('actions.editStep', { step: title })}
          onClick={() => goTo(name)}
        >
          <Icon name="edit" />
        </Button>
      </header>
      <dl>
        {rows.map(([label, value, lang]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd lang={lang} dir="auto">
              {value || none}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );

  return (
    <>
      <p className="soft">{t('review.intro')}</p>
      <div className="review__preview">
        <StallPreview {...step} photos={state.photos} />
      </div>
      {part('basic', [
        ...(answers.sameText
          ? []
          : ([
              [t('fields.nameEn'), answers['name.en'], 'en'],
              [t('fields.descriptionEn'), answers['description.en'], 'en'],
            ] as const)),
        [t('fields.nameFr'), answers['name.fr'], 'fr'],
        [t('fields.descriptionFr'), answers['description.fr'], 'fr'],
        ...(answers.sameText ? [[t('fields.english'), t('fields.sameText')] as const] : []),
        [t('fields.category'), category && words.categories[category]],
        ...(hasCondition(category)
          ? [[words.condition, condition && words.conditions[condition]] as const]
          : []),
      ])}
      {onlyPrice && part('pricing', [[t('fields.price'), amount]], t('steps.price'))}
      {!onlyPrice &&
        part('pricing', [
          [t('fields.price'), amount],
          [t('fields.duration'), t('duration.hours', { count: answers.durationHours })],
          [t('fields.listingType'), words.listingTypes[answers.listingType]],
          ...(answers.listingType === 'featured'
            ? [
                [
                  t('fields.preferredSlot'),
                  answers.preferredFeaturedSlot
                    ? `#${slotNumber(answers.preferredFeaturedSlot)}`
                    : t('fields.preferredSlotNone'),
                ] as const,
              ]
            : []),
          [t('fee.title'), money(listingFee(answers.durationHours, answers.listingType), language)],
        ])}
      {asked('images') &&
        part('images', [
          [
            t('steps.images'),
            state.photos.length > 0 && (
              <span className="review__photos">
                {state.photos.map((photo) => (
                  <img key={photo.key} className="thumb" src={photo.src} alt={photo.name} />
                ))}
              </span>
            ),
          ],
        ])}
      {part('seller', [
        [t('fields.sellerName'), answers.sellerName],
        [
          t('fields.sellerWhatsapp'),
          phoneText(readPhone(answers.sellerWhatsapp) ?? answers.sellerWhatsapp),
        ],
        [t('fields.sellerLocation'), answers.sellerLocation],
        [t('fields.businessName'), answers.businessName],
      ])}
      {asked('payment') &&
        part('payment', [[t('fields.paymentMethod'), method && words.paymentMethods[method]]])}
      {product?.fee != null && (
        <Note tone="wait" title={t('fee.yours', { fee: money(product.fee, language) })}>
          {t('feeAgain')} {t('fee.note')}
        </Note>
      )}
      <Note>
        {product?.correction
          ? t('review.afterCorrection')
          : isAdmin
            ? t('review.afterAdmin')
            : product?.listed
              ? t('review.afterEditLive')
              : t('review.afterSeller')}
      </Note>
    </>
  );
}
