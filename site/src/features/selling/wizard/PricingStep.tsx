import { listingFee } from '../../../../../api/listings/rules.ts';
import { durationHours, limits } from '../../../../../api/products/schema.ts';
import { slotNumber } from '../../../../../api/shared/slots.ts';
import { money } from '../../../../../api/shared/text.ts';
import { listingTypes } from '../../../../../db/vocabularies.ts';
import { number } from '../../../lib/format.ts';
import { TextInput } from '../../../ui/Field.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Choices } from './Choices.tsx';
import { bind, type StepProps } from './step.ts';
import './fee.css';

const slots = Array.from(
  { length: limits.preferredSlot.max },
  (_, order) => order + limits.preferredSlot.min,
);

function Price(step: StepProps) {
  const { t } = step;
  return (
    <TextInput
      {...bind(step, 'price')}
      label={t('fields.price')}
      required
      inputMode="numeric"
      autoComplete="off"
      placeholder={t('fields.pricePlaceholder')}
      hint={t('fields.priceHint')}
      before="XAF"
    />
  );
}

export function PriceStep(step: StepProps) {
  return (
    <>
      <Price {...step} />
      <Note>{step.t('editFixed')}</Note>
    </>
  );
}

/** Price, duration, type and fee. An existing product's type is fixed. */
export function PricingStep({ typeFixed = false, ...step }: StepProps & { typeFixed?: boolean }) {
  const { language, words, t, answers, errors, set } = step;
  const { listingType, durationHours: hours } = answers;
  const fee = money(listingFee(hours, listingType), language);
  return (
    <>
      <Price {...step} />
      <Choices
        legend={t('fields.duration')}
        name="durationHours"
        required
        look="short"
        hint={t('fields.durationHint')}
        error={errors.durationHours}
        options={durationHours.map((value) => ({
          value,
          label: t('duration.hours', { count: value }),
          note: t('duration.days', { count: value / 24 }),
        }))}
        value={hours as (typeof durationHours)[number]}
        onChoose={(value) => set('durationHours', value)}
      />
      {typeFixed ? (
        <Note>{t('typeFixed')}</Note>
      ) : (
        <Choices
          legend={t('fields.listingType')}
          name="listingType"
          required
          error={errors.listingType}
          options={listingTypes.map((value) => ({
            value,
            label: words.listingTypes[value],
            note: t(`fields.${value}Hint`),
          }))}
          value={listingType}
          onChoose={(value) => set('listingType', value)}
        />
      )}
      {listingType === 'featured' && !typeFixed && (
        <Choices
          legend={t('fields.preferredSlot')}
          name="preferredFeaturedSlot"
          look="plates"
          hint={t('fields.preferredSlotHint')}
          error={errors.preferredFeaturedSlot}
          options={[
            { value: 0, label: t('fields.preferredSlotNone') },
            ...slots.map((slot) => ({
              value: slot,
              label: (
                <span
                  className="plate"
                  role="img"
                  aria-label={t('slotNumber', { slot: slotNumber(slot) })}
                >
                  #{slotNumber(slot)}
                </span>
              ),
            })),
          ]}
          value={answers.preferredFeaturedSlot ?? 0}
          onChoose={(value) => set('preferredFeaturedSlot', value === 0 ? null : value)}
        />
      )}
      <section className="fee" aria-label={t('fee.title')}>
        <div className="fee__now" role="status">
          <span className="fee__yours">{t('fee.yours', { fee })}</span>
          <span className="soft small">
            {t('fee.forDays', { type: words.listingTypes[listingType], count: hours / 24, fee })}
          </span>
        </div>
        <table className="fee__table">
          <caption>{t('fee.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('fee.days')}</th>
              <th scope="col">{t('fee.standard')}</th>
              <th scope="col">{t('fee.featured')}</th>
            </tr>
          </thead>
          <tbody>
            {durationHours.map((value) => (
              <tr key={value}>
                <th scope="row">{number(value / 24, language)}</th>
                {listingTypes.map((type) => (
                  <td
                    key={type}
                    aria-current={value === hours && type === listingType ? 'true' : undefined}
                  >
                    {number(listingFee(value, type), language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="soft small">{t('fee.note')}</p>
      </section>
    </>
  );
}
