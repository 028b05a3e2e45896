import { dictionaries, languageNames } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of this screen only: island props are written into the page. */
export function pendingWords(language: Language) {
  const { admin, common, seller } = dictionaries[language];
  const {
    nameEn,
    nameFr,
    descriptionEn,
    descriptionFr,
    sameText,
    category,
    price,
    sellerName,
    sellerWhatsapp,
    sellerLocation,
    businessName,
  } = seller.wizard.fields;
  const { runDone_one, runDone_many, runDone_other } = admin.queue;
  const { unnamed, noImage, imageUnavailable } = common.product;
  const { due, paid, waived } = admin.fees;
  return {
    ...admin.pending,
    missingFields: admin.integrity.fields,
    runDone_one,
    runDone_many,
    runDone_other,
    unnamed,
    noImage,
    imageUnavailable,
    pictureOf: common.a11y.pictureOf,
    fields: {
      nameEn,
      nameFr,
      descriptionEn,
      descriptionFr,
      sameText,
      category,
      condition: common.condition,
      price,
      sellerName,
      sellerWhatsapp,
      sellerLocation,
      businessName,
      images: seller.wizard.steps.images,
    },
    languages: languageNames,
    categories: common.categories,
    conditions: common.conditions,
    regions: common.regions,
    paymentMethods: common.paymentMethods,
    listingTypes: { standard: common.listingType.standard, featured: common.listingType.featured },
    fees: { due, paid, waived },
  };
}
export type PendingWords = ReturnType<typeof pendingWords>;
