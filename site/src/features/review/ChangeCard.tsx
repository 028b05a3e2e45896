import type { ReactNode } from 'react';
import { hiddenNumber } from '../../../../api/products/rules.ts';
import { phoneText } from '../../../../api/shared/contact/readPhone.ts';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { money, textFor } from '../../../../api/shared/text.ts';
import { dateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { productName } from '../admin/productName.ts';
import { ContactNote } from './Facts.tsx';
import { Picture } from './Picture.tsx';
import type { Change, Spoken } from './pending.ts';

type Version = Change['before'] | Change['after'];
type Props = Spoken & {
  change: Change;
  onApprove: (change: Change) => void;
  onReject: (change: Change) => void;
};

/** Change with only the differing fields, old beside new. */
export function ChangeCard({ change, language, t, onApprove, onReject }: Props) {
  const { before, after } = change;
  const name = productName(before, { language, t });
  const texts: [label: string, read: (version: Version) => string | null, lang?: string][] = [
    [t('fields.nameEn'), (version) => textFor(version.name, 'en'), 'en'],
    [t('fields.nameFr'), (version) => textFor(version.name, 'fr'), 'fr'],
    [t('fields.descriptionEn'), (version) => textFor(version.description, 'en'), 'en'],
    [t('fields.descriptionFr'), (version) => textFor(version.description, 'fr'), 'fr'],
    [t('fields.category'), (version) => version.category && t(`categories.${version.category}`)],
    [t('fields.condition'), (version) => version.condition && t(`conditions.${version.condition}`)],
    [
      t('fields.price'),
      (version) => (version.price === null ? null : money(version.price, language)),
    ],
    [t('fields.sellerName'), (version) => version.sellerName],
    [
      t('fields.sellerWhatsapp'),
      ({ sellerWhatsapp }) =>
        sellerWhatsapp === hiddenNumber.present
          ? t('presentNumber')
          : sellerWhatsapp === hiddenNumber.other
            ? t('otherNumber')
            : sellerWhatsapp && phoneText(sellerWhatsapp),
    ],
    [t('fields.sellerLocation'), (version) => version.sellerLocation],
    [t('fields.businessName'), (version) => version.businessName],
  ];
  const rows: [label: string, before: ReactNode, after: ReactNode, lang?: string | undefined][] =
    texts.flatMap(([label, read, lang]) =>
      (read(before) ?? '') === (read(after) ?? '')
        ? []
        : [[label, read(before), read(after), lang]],
    );
  const pictures = ({ images }: Version) => (
    <span className="change__images">
      {images.map((photo, order) => (
        <Picture
          key={photo.src}
          photo={photo}
          width={320}
          alt={t('pictureOf', { name, number: order + 1, total: images.length })}
          failed={t('imageUnavailable')}
        />
      ))}
    </span>
  );
  const same =
    before.images.map(({ src }) => src).join() === after.images.map(({ src }) => src).join();
  if (!same)
    rows.push([t('fields.images'), before.images.length > 0 && pictures(before), pictures(after)]);
  const none = <span className="soft">{t('notGiven')}</span>;

  return (
    <li className="submission submission--change">
      <div className="submission__words">
        <h3 dir="auto">{name}</h3>
        <p className="row facts facts--soft">
          <span>{t('submitted', { date: dateTime(change.submittedAt, language) })}</span>
          {change.seller && <span>{t('seller', { name: change.seller })}</span>}
          {change.sellerSuspended && <Badge tone="bad">{t('sellerSuspended')}</Badge>}
          {change.slotId !== null && (
            <span>{t('inSlot', { slot: slotNumber(change.slotId) })}</span>
          )}
        </p>
        {!change.can.approve && <Note tone="wait">{t('suspendedText')}</Note>}
        <ContactNote fields={change.contactFields} t={t} />
        {rows.length === 0 && <p>{t('changeNothing')}</p>}
        <dl className="change">
          {rows.map(([label, old, fresh, lang]) => (
            <div key={label} className="change__row">
              <dt>{label}</dt>
              <dd lang={lang} className="change__old">
                <span className="change__which">{t('before')}</span>
                <bdi>{old || none}</bdi>
              </dd>
              <dd lang={lang} className="change__new">
                <span className="change__which">{t('after')}</span>
                <bdi>{fresh || none}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="submission__actions">
        {change.can.approve && (
          <Button variant="primary" onClick={() => onApprove(change)}>
            {t('approve')}
          </Button>
        )}
        <Button onClick={() => onReject(change)}>{t('reject')}</Button>
      </div>
    </li>
  );
}
