import { slotNumber } from '../../../../api/shared/slots.ts';
import { money } from '../../../../api/shared/text.ts';
import type { Language } from '../../../../locales/languages.ts';
import { dateTime, duration, number } from '../../lib/format.ts';
import type { SayAudit } from './Filters.tsx';
import type { AuditWords } from './words.ts';

/** Changed field; nested ones are joined by dots: `queue.priority`. */
export type Changed = { field: string; before: unknown; after: unknown };
type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Bilingual text: treated as one value. */
const isText = (value: Fields) =>
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => /^(?:en|fr|written)$/.test(key));

function flat(value: Fields, into = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, entry]): [string, unknown][] =>
    isFields(entry) && !isText(entry) ? flat(entry, `${into}${key}.`) : [[`${into}${key}`, entry]],
  );
}

/** Rows of the fields that differ; values that are not objects give one row. */
export function changes(before: unknown, after: unknown): Changed[] {
  const [old, now] = [before ?? {}, after ?? {}];
  if (!isFields(old) || !isFields(now)) return [{ field: '', before, after }];
  const [was, is] = [Object.fromEntries(flat(old)), Object.fromEntries(flat(now))];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: was[field] ?? null, after: is[field] ?? null }))
    .filter((row) => JSON.stringify(row.before) !== JSON.stringify(row.after));
}

export type Reading = {
  t: SayAudit;
  words: AuditWords;
  language: Language;
  names: Record<string, string>;
};

/** Label of a field: `queue.priority` is “Place in line: Priority”. Unknown parts stay raw. */
export function fieldLabel(field: string, { words }: Pick<Reading, 'words'>): string {
  const known: Record<string, string> = { ...words.paymentMethods, ...words.fields };
  // Omit `product` as a prefix.
  const parts = field
    .split('.')
    .filter((part, index, all) => part !== 'product' || index === all.length - 1);
  return parts.map((part) => known[part] ?? part).join(': ');
}

/**
 * Readable value: names for ids, labels for codes, formatted dates, durations and amounts. Null
 * when empty.
 */
export function valueText(field: string, value: unknown, reading: Reading): string | null {
  const { t, words, language, names } = reading;
  const key = field.slice(field.lastIndexOf('.') + 1);
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value))
    return value.map((entry) => valueText(field, entry, reading)).join(', ') || null;
  if (typeof value === 'boolean') return t(value ? 'values.yes' : 'values.no');
  if (isFields(value))
    return isText(value)
      ? [...new Set([value.en, value.fr])].filter(Boolean).join(' / ')
      : Object.values(value)
          .map((entry) => valueText(field, entry, reading))
          .join(' · ');
  if (typeof value === 'number') {
    if (/^(slotId|slots|pausedSlots|resumedSlots)$/.test(key))
      return t('slot', { slot: slotNumber(value) });
    if (/seconds$/i.test(key) && value >= 3600) return duration(value, language);
    return key === 'price' || key === 'fee' ? money(value, language) : number(value, language);
  }
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return dateTime(text, language, 'exact');
  return names[text] ?? marks(key, words)?.[text] ?? text;
}

/** Labels of a field's codes. */
function marks(key: string, words: AuditWords): Record<string, string> | undefined {
  const known: Record<string, Record<string, string>> = {
    ...{
      status: words.states,
      feeState: words.states,
      queueName: words.lanes,
      direction: words.values,
      duration: words.values,
    },
    ...{
      pausedBy: words.values,
      verifiedBy: words.values,
      role: words.values,
      outcome: words.values,
    },
    ...{
      category: words.categories,
      condition: words.conditions,
      paymentMethod: words.paymentMethods,
      listingType: words.listingTypes,
      missing_fields: words.missing,
      reasons: words.reportReasons,
    },
  };
  return known[key];
}
