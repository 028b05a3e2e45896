import { and, desc, inArray, isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { settingNames } from '../settings/schema.ts';
import { nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { isUuid } from '../shared/text.ts';

type Entry = typeof schema.auditLog.$inferSelect;

/** Names for the ids in audit entries: products, sellers and accounts, deleted ones too. */
export async function namesIn(ctx: Ctx, lines: readonly Entry[]): Promise<Record<string, string>> {
  const ids = [
    ...new Set(
      lines.flatMap((line) => [
        ...(line.subjectId === null ? [] : [line.subjectId]),
        ...idsIn(line.before),
        ...idsIn(line.after),
      ]),
    ),
  ];
  if (ids.length === 0) return {};
  const { products, sellers, user, auditLog: log } = schema;
  const uuids = ids.filter(isUuid);
  const named: { id: string | null; name: Bilingual | null }[] = [
    ...(await ctx.db
      .selectDistinctOn([log.subjectId], { id: log.subjectId, name: log.subjectName })
      .from(log)
      .where(
        and(
          inArray(log.subjectKind, ['product', 'report', 'seller']),
          inArray(log.subjectId, uuids),
          isNotNull(log.subjectName),
        ),
      )
      .orderBy(log.subjectId, desc(log.id))),
    // Current names replace logged ones.
    ...(await ctx.db
      .select({ id: products.id, name: products.name })
      .from(products)
      .where(inArray(products.id, uuids))),
    ...(await ctx.db
      .select({ id: sellers.id, name: sellers.name })
      .from(sellers)
      .where(inArray(sellers.id, uuids))),
    ...(await ctx.db
      .select({ id: user.id, name: user.name })
      .from(user)
      .where(inArray(user.id, ids))),
  ];
  return Object.fromEntries(named.map(({ id, name }) => [id ?? '', nameIn(name, ctx.language)]));
}

/** The subject in words: “Slot #03”, a setting's label, or the name at the time of the action. */
export function subjectOf(
  { subjectKind, subjectId, subjectName }: Entry,
  names: Record<string, string>,
  language: Language,
): string | null {
  const t = translator(language, 'admin');
  if (subjectId === null) return null;
  if (subjectName !== null) return nameIn(subjectName, language);
  if (subjectKind === 'slot' && /^\d+$/.test(subjectId))
    return t('slots.number', { slot: slotNumber(Number(subjectId)) });
  if (subjectKind === 'queue')
    return t(subjectId === 'queue:featured' ? 'queue.lanes.featured' : 'queue.lanes.regular');
  if (subjectKind === 'job') return t('cleanup.title');
  if (subjectKind === 'settings' && subjectId === 'mark') return t('settings.mark.title');
  const setting = subjectKind === 'settings' && settingNames.find((name) => name === subjectId);
  if (setting)
    return t(setting === 'payees' ? 'settings.payees.title' : `settings.fields.${setting}.label`);
  return names[subjectId] ?? null;
}

/** Accounts appear under keys such as `barredBy`. */
function idsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return isUuid(value) || key.endsWith('By') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => idsIn(entry, key));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, entry]) => idsIn(entry, name))
    : [];
}
