import { pick } from '../../../../api/shared/pick.ts';
import { dictionaries, languageNames } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of this screen only: island props are written into the page. */
export function pendingWords(language: Language) {
  const { admin, common, seller } = dictionaries[language];
  return {
    ...admin.pending,
    missingFields: admin.integrity.fields,
    ...pick(admin.queue, ['runDone_one', 'runDone_many', 'runDone_other']),
    ...pick(common.product, ['unnamed', 'noImage', 'imageUnavailable']),
    pictureOf: common.a11y.pictureOf,
    fields: {
      ...pick(seller.wizard.fields, [
        'nameEn',
        'nameFr',
        'descriptionEn',
        'descriptionFr',
        'sameText',
        'category',
        'price',
        'sellerName',
        'sellerWhatsapp',
        'sellerLocation',
        'businessName',
      ]),
      condition: common.condition,
      images: seller.wizard.steps.images,
    },
    languages: languageNames,
    categories: common.categories,
    conditions: common.conditions,
    regions: common.regions,
    paymentMethods: common.paymentMethods,
    listingTypes: { standard: common.listingType.standard, featured: common.listingType.featured },
    fees: pick(admin.fees, ['due', 'paid', 'waived']),
  };
}
export type PendingWords = ReturnType<typeof pendingWords>;
