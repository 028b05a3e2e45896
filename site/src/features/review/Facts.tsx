import { phoneText } from '../../../../api/shared/contact/readPhone.ts';
import { placeParts } from '../../../../api/shared/places/regions.ts';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { money } from '../../../../api/shared/text.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { duration } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import type { Pending, Spoken } from './pending.ts';

/** Facts of a submission: price, duration, lane, place, payment, seller. */
export function Facts({ product, language, t }: { product: Pending } & Spoken) {
  const {
    price,
    durationSeconds,
    listingType,
    preferredFeaturedSlot,
    category,
    condition,
    paymentMethod,
    listingFee,
    sellerName,
    sellerWhatsapp,
    businessName,
  } = product;
  const { regionCode } = product;
  const where = placeParts(
    [product.city, product.region],
    regionCode,
    regionCode ? t(`regions.${regionCode}`) : undefined,
  ).join(', ');
  return (
    <>
      <p className="row facts">
        <strong className="row facts__price">
          {price === null ? t('noPrice') : money(price, language)}
        </strong>
        {durationSeconds !== null && (
          <span>{t('duration', { duration: duration(durationSeconds, language) })}</span>
        )}
        <Badge tone={listingType === 'featured' ? 'info' : 'plain'}>
          {t(`listingTypes.${listingType}`)}
        </Badge>
        {preferredFeaturedSlot !== null && (
          <span>{t('preferredSlot', { slot: slotNumber(preferredFeaturedSlot) })}</span>
        )}
        {category && <span>{t(`categories.${category}`)}</span>}
        {condition && <span>{t(`conditions.${condition}`)}</span>}
        {where && <bdi>{where}</bdi>}
      </p>
      <p className="row facts facts--soft">
        {(sellerName || businessName) && (
          <span>
            {t('seller', {
              name: [sellerName, businessName]
                .flatMap((part) => (part ? isolate(part) : []))
                .join(' · '),
            })}
          </span>
        )}
        {product.sellerSuspended && <Badge tone="bad">{t('sellerSuspended')}</Badge>}
        {product.sellerVerified && !product.sellerSuspended && (
          <Badge tone="good">{t('sellerVerified')}</Badge>
        )}
        {sellerWhatsapp && <span>{t('whatsapp', { number: phoneText(sellerWhatsapp) })}</span>}
        {paymentMethod && <span>{t(`paymentMethods.${paymentMethod}`)}</span>}
        {listingFee !== null && (
          <span>
            {t('fee', {
              fee: money(listingFee, language),
              state: product.feeReference ?? t('fees.due'),
            })}
          </span>
        )}
      </p>
    </>
  );
}

/** Names the texts with a phone number or a link. */
export function ContactNote({
  fields,
  t,
}: { fields: Pending['contactFields'] } & Pick<Spoken, 't'>) {
  if (fields.length === 0) return null;
  return (
    <Note tone="wait">
      {t('contactFound', { fields: fields.map((field) => t(`fields.${field}`)).join(', ') })}
    </Note>
  );
}

/** Reason why a submission cannot be approved: missing fields or a suspended seller. */
export function Obstacle({
  product: { missing, sellerSuspended },
  t,
}: { product: Pending } & Pick<Spoken, 't'>) {
  if (missing.length === 0 && !sellerSuspended) return null;
  return (
    <Note tone="wait">
      {missing.length > 0 && (
        <p>
          {t('missing', { fields: missing.map((field) => t(`missingFields.${field}`)).join(', ') })}
        </p>
      )}
      {sellerSuspended && <p>{t('suspendedText')}</p>}
    </Note>
  );
}

/** Approve button where possible, and for admins a link to complete missing fields. */
export function ApproveOrComplete({
  product,
  t,
  edit,
  onApprove,
}: { product: Pending; edit: string | undefined; onApprove: (product: Pending) => void } & Pick<
  Spoken,
  't'
>) {
  return (
    <>
      {product.can.approve && (
        <Button variant="primary" onClick={() => onApprove(product)}>
          {t('approve')}
        </Button>
      )}
      {edit !== undefined && product.missing.length > 0 && (
        <ButtonLink variant="primary" href={`${edit}${product.id}/edit`}>
          {t('complete')}
        </ButtonLink>
      )}
    </>
  );
}
