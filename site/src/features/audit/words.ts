import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** What the audit log says. */
export function auditWords(language: Language) {
  return dictionaries[language].admin.audit;
}
export type AuditWords = ReturnType<typeof auditWords>;
