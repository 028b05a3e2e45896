import { pick } from '../../../../api/shared/pick.ts';
import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words for durations and manual assignments, for slots and queue. */
export function assignmentWords(language: Language) {
  const { admin, common } = dictionaries[language];
  return {
    time: pick(common.time, [
      'leftDays',
      'leftHours',
      'leftMinutes',
      'leftUnderMinute',
      'spanDays',
      'spanHours',
      'spanMinutes',
      'spanUnderMinute',
    ]),
    assigning: pick(admin.queue.assignDialog, [
      'duration',
      'manual',
      'own',
      'left',
      'ends',
      'submit',
    ]),
    assigned: admin.queue.assigned,
    noSlots: admin.queue.noSlots,
    notInDatabase: admin.queue.notInDatabase,
    unnamed: common.product.unnamed,
  };
}
export type AssignmentWords = ReturnType<typeof assignmentWords>;

/** Words of this screen only: island props are written into the page. */
export function slotsWords(language: Language) {
  const { admin, common, seller } = dictionaries[language];
  return {
    ...admin.slots,
    ...assignmentWords(language),
    lanes: admin.queue.lanes,
    fields: pick(seller.wizard.fields, [
      'nameEn',
      'nameFr',
      'descriptionEn',
      'descriptionFr',
      'frenchHint',
      'priceHint',
      'sellerLocationPlaceholder',
      'sellerLocationHint',
    ]),
    condition: common.condition,
    conditions: common.conditions,
    conditionNone: seller.wizard.fields.conditionNone,
    durations: pick(common.duration, [
      'hours_one',
      'hours_many',
      'hours_other',
      'days_one',
      'days_many',
      'days_other',
    ]),
    ...pick(common.product, ['noDescription', 'noImage', 'imageUnavailable']),
  };
}
export type SlotsWords = ReturnType<typeof slotsWords>;
