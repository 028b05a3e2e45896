import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of the wizard only: island props are written into the page. */
export function wizardWords(language: Language) {
  const { seller, common, validation, errors } = dictionaries[language];
  const { days_one, days_many, days_other, hours_one, hours_many, hours_other } = common.duration;
  return {
    ...seller.wizard,
    changeSent: seller.listing.toast.changeSent,
    validation,
    uploads: errors.uploads,
    categories: common.categories,
    condition: common.condition,
    conditions: common.conditions,
    place: { ...common.place, regions: common.regions },
    paymentMethods: common.paymentMethods,
    listingTypes: { standard: common.listingType.standard, featured: common.listingType.featured },
    duration: { days_one, days_many, days_other, hours_one, hours_many, hours_other },
    connection: common.states.retry,
    retry: common.actions.retry,
    signIn: common.nav.signIn,
    slotNumber: common.a11y.slotNumber,
    unnamed: common.product.unnamed,
    undescribed: common.product.noDescription,
    noImage: common.product.noImage,
    imageUnavailable: common.product.imageUnavailable,
  };
}
export type WizardWords = ReturnType<typeof wizardWords>;

export function actionWords(language: Language) {
  const { seller, common, bot } = dictionaries[language];
  const { actions, confirm, toast } = seller.listing;
  const { cancel, close } = common.actions;
  const { button, mine } = bot;
  return {
    actions: { ...actions, again: button.relistAtEnd, notAgain: button.notAgain },
    confirm: {
      ...confirm,
      againTitle: mine.ask.relistAtEnd,
      againFee: mine.done.feeThen,
      notAgainTitle: button.notAgain,
    },
    toast: { ...toast, again: mine.done.relistAtEnd, notAgain: mine.done.notAgain },
    resubmitted: seller.wizard.success.seller,
    cancel,
    close,
    connection: common.states.retry,
  };
}
export type ActionWords = ReturnType<typeof actionWords>;
