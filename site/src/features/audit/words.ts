import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** Words of the audit log, with those of other screens for fields and values. */
export function auditWords(language: Language) {
  const { admin, common, seller, shop } = dictionaries[language];
  const { pending, approved, rejected } = common.status;
  const { due, paid, waived, refunded } = seller.fee;
  return {
    ...admin.audit,
    slot: admin.slots.number,
    missing: admin.integrity.fields,
    categories: common.categories,
    conditions: common.conditions,
    paymentMethods: common.paymentMethods,
    states: { pending, approved, rejected, due, paid, waived, refunded },
    lanes: {
      'queue:featured': admin.queue.lanes.featured,
      'queue:regular': admin.queue.lanes.regular,
    },
    listingTypes: { standard: common.listingType.standard, featured: common.listingType.featured },
    reportReasons: shop.report.reasons,
  };
}
export type AuditWords = ReturnType<typeof auditWords>;
