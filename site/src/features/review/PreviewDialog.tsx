import { textFor } from '../../../../api/shared/text.ts';
import { productLanguages } from '../../../../locales/languages.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import { productName } from '../admin/productName.ts';
import { ApproveOrComplete, ContactNote, Facts, Obstacle } from './Facts.tsx';
import { Picture } from './Picture.tsx';
import type { Pending, ReviewScreen } from './pending.ts';

type Props = {
  screen: ReviewScreen;
  product: Pending | null;
  edit: string | undefined;
  onClose: () => void;
  onApprove: (product: Pending) => void;
  onReject: (product: Pending) => void;
};

/** Whole submission: all images and both languages. */
export const PreviewDialog = guardDialog(function PreviewDialog({
  screen,
  product,
  edit,
  onClose,
  onApprove,
  onReject,
}: Props) {
  const { language, t, common } = screen;
  const name = product ? productName(product, screen) : '';
  const isSame = typeof product?.name === 'object' && product.name?.written === 'fr';
  const written = productLanguages.filter((code) => !isSame || code === 'fr');
  return (
    <Dialog
      open={product !== null}
      large
      title={t('previewTitle', { name })}
      closeLabel={common('close')}
      onClose={onClose}
      actions={
        product && (
          <>
            <Button onClick={() => onReject(product)}>{t('reject')}</Button>
            <ApproveOrComplete {...{ product, t, edit, onApprove }} />
          </>
        )
      }
    >
      {product && (
        <>
          <section className="preview__images" aria-label={t('allImages')}>
            {product.images.map((photo, order) => (
              <Picture
                key={photo.src}
                photo={photo}
                width={720}
                alt={t('pictureOf', { name, number: order + 1, total: product.images.length })}
                failed={t('imageUnavailable')}
              />
            ))}
            {product.images.length === 0 && (
              <span className="picture picture--none">{t('noImage')}</span>
            )}
          </section>
          <div>
            <Facts product={product} language={language} t={t} />
            <ContactNote fields={product.contactFields} t={t} />
            <Obstacle product={product} t={t} />
          </div>
          <div className="preview__texts">
            {written.map((code) => (
              <section key={code} lang={code}>
                <h3 lang={language}>{t(`languages.${code}`)}</h3>
                {isSame && (
                  <p className="soft" lang={language}>
                    {t('fields.sameText')}
                  </p>
                )}
                {textFor(product.name, code) || textFor(product.description, code) ? (
                  <>
                    <p className="preview__name" dir="auto">
                      {textFor(product.name, code)}
                    </p>
                    <p className="preview__description" dir="auto">
                      {textFor(product.description, code)}
                    </p>
                  </>
                ) : (
                  <p className="soft" lang={language}>
                    {code === 'fr' ? t('noFrench') : t('noText')}
                  </p>
                )}
              </section>
            ))}
          </div>
        </>
      )}
    </Dialog>
  );
});
